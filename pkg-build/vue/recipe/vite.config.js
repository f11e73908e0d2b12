// The template is compiled in the page; in development Vite must leave the wasm of toponym where it is.

export default {
  build: { target: "es2022" },
  resolve: { alias: { vue: "vue/dist/vue.esm-bundler.js" } },
  define: { __VUE_OPTIONS_API__: true, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
  optimizeDeps: { exclude: ["toponym", "toponym-vue"] },
};
