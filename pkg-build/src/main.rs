//! `cargo xtask`: every command of the repository. See [`xtask`] for what there is.

use std::process::ExitCode;

mod xtask;

fn main() -> ExitCode {
    xtask::main()
}
