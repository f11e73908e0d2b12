//! Sources of questions: the argument, or the lines of a file or of standard input.

use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

/// The file of questions.
#[derive(Args)]
pub struct Source {
    /// Reads one question from each line of this file; - is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Questions, each an error if its line cannot be read.
type Questions = Box<dyn Iterator<Item = Result<String>>>;

impl Source {
    /// Returns the question of the argument, or those of the lines, without blank ones.
    pub fn questions(&self, one: Option<String>) -> Result<Questions> {
        match (one, &self.file) {
            (Some(_), Some(_)) => bail!("give one question, or --file, not both"),
            (Some(one), None) => Ok(Box::new(std::iter::once(Ok(one)))),
            (None, Some(path)) if path != Path::new("-") => Ok(lines(BufReader::new(fs_err::File::open(path)?))),
            (None, None) if std::io::stdin().is_terminal() => {
                bail!("no question: give one, or name a file of questions with --file, or pipe them in")
            }
            (None, _) => Ok(lines(std::io::stdin().lock())),
        }
    }
}

fn lines(reader: impl BufRead + 'static) -> Questions {
    let lines = reader.lines().enumerate().map(read_line);
    Box::new(lines.filter(|line| line.as_ref().map_or(true, |line| !line.is_empty())))
}

/// Reads a line, of which there were `at` before. Keeps the white space at its end: that says that a word is finished.
fn read_line((at, line): (usize, std::io::Result<String>)) -> Result<String> {
    let line = line.with_context(|| format!("line {} of the questions is not UTF-8 text", at + 1))?;
    Ok(line.trim_start_matches('\u{feff}').trim_start().to_owned())
}
