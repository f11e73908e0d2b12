//! Makes JavaScript modules of compiled crates with wasm-bindgen, as a library: its command would take minutes to compile.
//!
//! The library has to have the version of the crate `wasm-bindgen` that the modules are compiled with. Cargo.toml pins both.

use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;
use wasm_bindgen_cli_support::Bindgen;

/// Purpose of the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// Web pages and Node: the caller loads the wasm.
    Web,
    /// A Worker: the module imports the wasm, and can start it anew.
    Worker,
}

/// Writes `name.js` and `name_bg.wasm` for the compiled crate `wasm` into `folder`.
pub fn run(target: Target, name: &str, wasm: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name(name).typescript(false);
    match target {
        // Pages load the wasm that lies beside the module without naming it, and bundlers find it by that path.
        Target::Web => {
            bindgen.web(true)?.omit_default_module_path(false).remove_name_section(true).remove_producers_section(true)
        }
        Target::Worker => bindgen.module(true)?.reset_state_function(true).force_enable_abort_handler(true),
    };
    bindgen.generate(folder).with_context(|| format!("wasm-bindgen cannot read {}", wasm.display()))?;
    if target == Target::Worker {
        import_as_value(&folder.join(name).with_extension("js"))?;
    }
    Ok(())
}

/// Replaces an import in the source phase, which neither esbuild nor wrangler knows; an ordinary import of wasm is a
/// module there.
fn import_as_value(module: &Path) -> Result<()> {
    let text = fs::read_to_string(module)?;
    Ok(fs::write(module, text.replace("import source ", "import "))?)
}

/// Iterates over the names of the classes that a module of wasm-bindgen exports.
pub fn classes(module: &str) -> impl Iterator<Item = &str> {
    let rest = module.lines().filter_map(|line| line.strip_prefix("export class "));
    rest.filter_map(|rest| rest.split([' ', '{']).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found() {
        let module = "export class ApiKey {\n    free() {}\n}\nexport function fetch(a) {\n}\nexport class Board{\n}\nclass Own {}\n";
        assert_eq!(classes(module).collect::<Vec<_>>(), ["ApiKey", "Board"]);
    }
}
