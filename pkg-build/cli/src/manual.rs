//! `toponym completions` and `toponym man`: written from the definition of the arguments, so that they never differ from it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

/// The name of the program in both.
const NAME: &str = "toponym";

/// Arguments of `toponym completions`.
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of `toponym man`.
#[derive(Args)]
pub struct Manual {
    /// Writes a page for the program and for each of its commands into this folder [default: prints that of the program]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub fn completions(mut command: Command, arguments: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, NAME, &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

/// Prints the manual page, or writes all of them.
pub fn man(command: Command, arguments: &Manual) -> Result<()> {
    match &arguments.out {
        Some(folder) => {
            fs_err::create_dir_all(folder)?;
            Ok(clap_mangen::generate_to(command, folder)?)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(std::io::stdout().write_all(&page)?)
        }
    }
}
