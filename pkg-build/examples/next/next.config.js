// On the server Node loads the package itself, because it reads the engine and the pack from its own folder.

export default {
  serverExternalPackages: ["toponym"],
};
