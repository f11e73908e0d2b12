//! Checks that links of Markdown files lead to files of the repository.

use std::path::Path;

use anyhow::{Result, ensure};
use fs_err as fs;
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;

/// Checks the links of every Markdown file that git tracks.
pub fn check(workspace: &Workspace, _output: &mut Output<'_>) -> Result<Summary> {
    let mut count = 0;
    let mut broken = Vec::new();
    for file in workspace.output("git", &["ls-files", "*.md"])?.lines() {
        let path = workspace.root().join(file);
        // A file that is deleted and not committed yet is still listed.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for link in links(&text) {
            count += 1;
            if !leads_somewhere(&path, link) {
                broken.push(format!("  {file}: {link}"));
            }
        }
    }
    ensure!(broken.is_empty(), "{} links lead to no file:\n{}", broken.len(), broken.join("\n"));
    Ok(Summary::passed(format!("{count} links")))
}

/// Tells whether a link of the file at `path` leads to a file or a folder; anchors and other hosts are not looked at.
fn leads_somewhere(path: &Path, link: &str) -> bool {
    let target = link.split('#').next().unwrap_or_default();
    let is_elsewhere = target.is_empty() || target.contains(':');
    is_elsewhere || path.parent().is_some_and(|folder| folder.join(target).exists())
}

/// Lists the targets of links: `[text](target)`, `[text]: target`, `src="target"`. Code is not looked at.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Even parts are between spans of code.
        for part in line.split('`').step_by(2) {
            found.extend(part.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()));
            found.extend(part.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_links_are_found() {
        let text = "[a](one.md) and [b](two.md#part \"title\"), ![c](p.png)\n<img src=\"q.png\">\n```\n[no](code.md)\n```\n`[no](x.md)` [d](#here)";
        assert_eq!(links(text), ["one.md", "two.md#part", "p.png", "q.png", "#here"]);
    }

    #[test]
    fn targets_are_looked_for_beside_their_file() {
        let path = Workspace::find().root().join("README.md");
        assert!(leads_somewhere(&path, "engine/FORMAT.md#frame") && leads_somewhere(&path, "https://example.org/x"));
        assert!(leads_somewhere(&path, "#here") && !leads_somewhere(&path, "engine/NOTHING.md"));
    }
}
