//! `wasm-bindgen-test-runner`, compiled from the crates that `cargo xtask` uses already. Installing wasm-bindgen-cli would
//! compile three programs with TLS, for two minutes of the processor.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
