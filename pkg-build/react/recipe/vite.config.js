// Vite compiles JSX for React by itself; in development it must leave the wasm of toponym where it is.

export default {
  build: { target: "es2022" },
  optimizeDeps: { exclude: ["toponym", "toponym-react"] },
};
