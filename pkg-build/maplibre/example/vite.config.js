// In development Vite must leave the wasm of toponym where it is.

export default {
  worker: { format: "es" },
  build: { target: "es2022" },
  optimizeDeps: { exclude: ["toponym", "toponym-maplibre"] },
};
