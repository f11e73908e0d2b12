//! Digests the code that decides the bytes of an index, so that an index knows when that code has changed:
//! `src/receipt.rs` reads `TOPONYM_WRITER`.

use std::path::PathBuf;

#[path = "code_digest.rs"]
mod code_digest;

use code_digest::Code;

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = here.join("../..");
    let code = Code::of_workspace(&root);
    let manifests = ["Cargo.toml", "Cargo.lock"].map(|name| root.join(name));
    for path in code.folders.iter().chain(&manifests) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    for own in ["build.rs", "code_digest.rs"] {
        println!("cargo::rerun-if-changed={own}");
    }
    println!("cargo::rustc-env=TOPONYM_WRITER={}", code.digest());
}
