//! Makes a module of wasm smaller and faster with wasm-opt of binaryen.

use std::path::Path;

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::report::Line;
use toponym_terminal::workspace::Workspace;

/// The wasm features that wasm-opt may use: those that rustc uses already.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// The feature with which panics unwind.
pub const EXCEPTIONS: &str = "--enable-exception-handling";

/// Optimises the module in place. `options` say how, and name further features.
pub fn run(workspace: &Workspace, line: &Line, module: &Path, options: &[&str]) -> Result<()> {
    let mut command = workspace.command("wasm-opt")?;
    command.args(options).args(FEATURES).arg("--output").arg(module).arg(module);
    process::run_behind(line, command)
}
