//! `toponym completions` and `toponym man`.

use crate::support::Folder;

#[test]
fn every_shell_gets_its_completions() {
    let folder = Folder::new();
    for (shell, part) in [
        ("bash", "complete -F _toponym"),
        ("zsh", "#compdef toponym"),
        ("fish", "complete -c toponym"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let run = folder.run(&format!("completions {shell}"));
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.out.contains(part) && run.out.contains("serve-local"), "{shell}");
    }
    assert_eq!(folder.run("completions tcsh").code, Some(2));
}

/// The shell itself completes with the script.
#[test]
fn bash_completes_a_command() {
    let folder = Folder::new();
    folder.write("toponym.bash", folder.run("completions bash").out);
    let script = "source ./toponym.bash; COMP_WORDS=(toponym serv); COMP_CWORD=1; _toponym toponym serv toponym; echo ${COMPREPLY[@]}";
    let output = std::process::Command::new("bash").args(["-c", script]).current_dir(folder.path("")).output();
    assert_eq!(String::from_utf8_lossy(&output.expect("bash is part of the system").stdout).trim(), "serve-local");
}

#[test]
fn there_is_a_page_for_each_command() {
    let folder = Folder::new();
    let page = folder.run("man").out;
    assert!(page.contains(".TH toponym 1") && page.contains("toponym\\-batch(1)"), "{page}");
    assert_eq!(folder.run("man --out pages").code, Some(0));
    let batch = folder.read("pages/toponym-batch.1");
    assert!(batch.contains("\\-\\-city\\-column"), "{batch}");
}
