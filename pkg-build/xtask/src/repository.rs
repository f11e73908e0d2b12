//! The public address of the repository, for `package.json`: npm publishes with provenance only if the package names the
//! repository that it was built from.

use anyhow::{Context, Result};
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;
use ureq::http::Uri;

/// A repository that everybody can open in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// `https://host/owner/name`.
    page: String,
}

impl Repository {
    /// The remote `origin` of this clone; `None` if there is none, or it is a folder or a host of a private network.
    pub fn of_clone(workspace: &Workspace) -> Option<Self> {
        let mut command = workspace.command("git").ok()?;
        command.current_dir(workspace.root()).args(["config", "--get", "remote.origin.url"]);
        Self::parse(&process::output_if_any(command)?).ok()
    }

    /// Reads an address as git takes it: `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name`.
    ///
    /// # Errors
    /// If it is a folder, or the host is none of the public internet.
    pub fn parse(address: &str) -> Result<Self> {
        let short = || format!("ssh://{}", address.replacen(':', "/", 1));
        let uri: Option<Uri> = if address.contains("://") { address.parse().ok() } else { short().parse().ok() };
        let page = uri.as_ref().and_then(page_of);
        let page = page.with_context(|| {
            format!("{address} is no public repository: give its address, such as https://host.example/owner/name")
        })?;
        Ok(Self { page })
    }

    /// The fields of `package.json`, for the package whose source is in `directory`.
    pub fn fields(&self, directory: &str) -> String {
        let Self { page } = self;
        format!(
            "  \"repository\": {{\n    \"type\": \"git\",\n    \"url\": \"git+{page}.git\",\n    \
             \"directory\": \"{directory}\"\n  }},\n  \"homepage\": \"{page}#readme\",\n  \
             \"bugs\": {{\n    \"url\": \"{page}/issues\"\n  }},\n"
        )
    }
}

/// The address for a browser: without user, password, port and `.git`, and with an owner and a name at least.
fn page_of(uri: &Uri) -> Option<String> {
    let is_git = matches!(uri.scheme_str(), Some("https" | "http" | "ssh" | "git"));
    let host = uri.host().filter(|host| is_git && is_public(host))?;
    let path = uri.path().trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_name = |part: &str| !part.is_empty() && part != "." && part != "..";
    (path.split('/').count() >= 2 && path.split('/').all(is_name)).then(|| format!("https://{host}/{path}"))
}

/// Last parts of names that are never public: RFC 6761, RFC 6762, and the one that ICANN keeps for private networks.
const PRIVATE: [&str; 5] = ["internal", "invalid", "local", "localhost", "test"];

/// Whether a host can be one of the public internet: a name, not a number, and not one of a private network.
fn is_public(host: &str) -> bool {
    let last = host.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|last| last.contains(|c: char| c.is_ascii_alphabetic()) && !PRIVATE.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_git() {
        let check = |address: &str, expect: Option<&str>| {
            let found = Repository::parse(address).ok().map(|found| found.page);
            assert_eq!(found.as_deref(), expect, "{address}");
        };
        let page = Some("https://code.example/owner/name");
        for address in [
            "https://code.example/owner/name",
            "https://code.example/owner/name.git",
            "https://user:secret@code.example:8443/owner/name/",
            "ssh://git@code.example:2222/owner/name.git",
            "git@code.example:owner/name.git",
            "git://code.example/owner/name",
        ] {
            check(address, page);
        }
        check("git@code.example:group/part/name", Some("https://code.example/group/part/name"));
        for address in [
            "",
            "/srv/git/name",
            "../name",
            "file:///srv/git/name.git",
            "C:\\code\\name",
            "https://localhost/owner/name",
            "https://192.0.2.1/owner/name",
            "http://code.local/owner/name",
            "https://code.example/name",
            "https://code.example/../..",
            "ftp://code.example/owner/name",
        ] {
            check(address, None);
        }
    }

    #[test]
    fn fields_are_json() {
        let repository = Repository { page: "https://code.example/owner/name".into() };
        let text = format!("{{{}\"end\": 1}}", repository.fields("pkg-build/npm"));
        let fields: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(fields["repository"]["url"], "git+https://code.example/owner/name.git");
        assert_eq!(fields["repository"]["directory"], "pkg-build/npm");
        assert_eq!(fields["homepage"], "https://code.example/owner/name#readme");
        assert_eq!(fields["bugs"]["url"], "https://code.example/owner/name/issues");
    }
}
