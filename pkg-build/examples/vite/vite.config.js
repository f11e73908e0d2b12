// Vite finds the engine, the pack and the thread by itself. Only its development server must not bundle the package in advance.

export default {
  base: "./",
  optimizeDeps: { exclude: ["toponym"] },
};
