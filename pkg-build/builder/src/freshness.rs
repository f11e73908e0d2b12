//! Decides whether an index in place is up to date, by its receipt.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use toponym_engine::Engine;
use toponym_engine::index::OpenError;

use crate::error::BuildError;
use crate::paged::PLAIN_ROOT;
use crate::receipt::{BUILDER, Inputs, Receipt, Recipe, inputs};

/// Whether an index is up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It is what a build would make.
    Fresh,
    /// It was not made here, or not by this builder's rules: nobody knows of what, so it is kept.
    Unknown,
    /// It has to be built.
    Stale {
        /// With these arguments, which are those of the last build.
        recipe: Recipe,
        /// Why: part of a sentence, such as "data/sources.toml has changed".
        reason: String,
    },
}

/// Whether the index at `path` is up to date with the project at `root`. Without a receipt it is to be built by
/// `default`.
///
/// # Errors
/// When a file cannot be read, or an import of an index that has to be rebuilt is gone.
pub fn freshness(root: &Path, path: &Path, default: Recipe) -> Result<Freshness, BuildError> {
    let receipt = Receipt::beside(path);
    let stale = |receipt: Option<&Receipt>, reason: String| {
        let recipe = receipt.map_or_else(|| default.clone(), |receipt| receipt.recipe.clone());
        match recipe.add.iter().find(|file| !file.exists()) {
            Some(gone) => Err(BuildError::LostImport { path: gone.clone(), index: path.to_owned(), reason }),
            None => Ok(Freshness::Stale { recipe, reason }),
        }
    };
    if !path.is_file() {
        return stale(receipt.as_ref(), format!("there is no {}", path.display()));
    }
    let bytes = std::fs::read(path).map_err(BuildError::io(path))?;
    match receipt.as_ref().filter(|receipt| receipt.is_of(&bytes)) {
        Some(receipt) => match difference(&receipt.inputs, &present(root, &receipt.recipe)?, &receipt.recipe.add) {
            Some(reason) => stale(Some(receipt), reason),
            None => Ok(Freshness::Fresh),
        },
        None => match Engine::open(bytes) {
            Ok(_) | Err(OpenError::InPages) => Ok(Freshness::Unknown),
            Err(error) => stale(receipt.as_ref(), format!("{}: {error}", path.display())),
        },
    }
}

/// Whether the pages in `folder` are up to date. If there are none, they are to be made with the arguments of the index at `path`; and
/// if that was built after them with other arguments, too: who adds places to it wants them in the pages.
///
/// # Errors
/// As [`freshness`].
pub fn freshness_of_pages(root: &Path, folder: &Path, path: &Path, default: Recipe) -> Result<Freshness, BuildError> {
    let plain_root = folder.join(PLAIN_ROOT);
    let of_index = Receipt::beside(path).map_or(default, |receipt| receipt.recipe);
    let is_other = |receipt: Receipt| receipt.recipe != of_index;
    let is_later = built(path).zip(built(&plain_root)).is_some_and(|(index, pages)| index > pages);
    if is_later && Receipt::beside(&plain_root).is_some_and(is_other) {
        let reason = format!("{} has the pages of another index", folder.display());
        return Ok(Freshness::Stale { recipe: of_index, reason });
    }
    match freshness(root, &plain_root, of_index.clone())? {
        // A receipt without its root says nothing.
        Freshness::Stale { reason, .. } if !plain_root.is_file() => Ok(Freshness::Stale { recipe: of_index, reason }),
        other => Ok(other),
    }
}

/// When a file was written.
fn built(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

/// The inputs by `recipe`, without imports that are gone.
fn present(root: &Path, recipe: &Recipe) -> Result<Inputs, BuildError> {
    let add = recipe.add.iter().filter(|path| path.exists()).cloned().collect();
    inputs(root, &Recipe { add, ..recipe.clone() })
}

/// What differs between the inputs of an index and those of today. Imports that are gone do not: the index holds what
/// they held.
fn difference(then: &Inputs, now: &Inputs, imports: &[PathBuf]) -> Option<String> {
    let is_import = |name: &str| imports.iter().any(|path| path.to_string_lossy() == name);
    let changed = now.iter().filter_map(|(name, digest)| match then.get(name) {
        Some(known) if known == digest => None,
        Some(_) => Some(format!("{name} has changed")),
        None => Some(format!("{name} is new")),
    });
    let gone = then.keys().filter(|name| !now.contains_key(*name) && !is_import(name));
    let mut all: Vec<String> = changed.chain(gone.map(|name| format!("{name} is gone"))).collect();
    // Files say more than code that changed with them.
    all.sort_by_key(|line| line.starts_with(BUILDER));
    let others = all.len().saturating_sub(1);
    let first = all.into_iter().next()?;
    Some(if others == 0 { first } else { format!("{first}, and {others} more") })
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::Coordinate;
    use toponym_engine::{About, Gazetteer, Kind, Name, NameClass, Record, Role};

    use super::*;
    use crate::receipt::Extent;

    /// A project with one table and an import, and an index.
    struct Project(tempfile::TempDir);

    impl Project {
        fn new() -> Self {
            let project = Self(tempfile::tempdir().expect("a temporary folder can be created"));
            project.write("data/sources.toml", "");
            project.write("data/tables/words.csv", "a");
            project.write("data/curated/landmarks/europe.csv", "a");
            project.write("my.csv", "a");
            project
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            let path = self.at(path);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("the folder is ours");
            std::fs::write(path, text).expect("the folder is ours");
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn recipe(&self) -> Recipe {
            Recipe { add: vec![self.at("my.csv")], ..Recipe::default() }
        }

        /// Puts an index in place, as a build would.
        fn build(&self) {
            self.build_by(self.recipe(), "index.toponym");
        }

        /// Puts an index or a root at a path, as a build by `recipe` would.
        fn build_by(&self, recipe: Recipe, path: &str) {
            let bytes = index("built");
            let inputs = inputs(self.0.path(), &recipe).expect("the files are there");
            let receipt = Receipt::new(recipe, inputs, &bytes);
            self.write(path, bytes);
            self.write(&format!("{path}.json"), serde_json::to_vec(&receipt).expect("it can be written"));
        }

        fn freshness(&self) -> Result<Freshness, BuildError> {
            let default = Recipe { extent: Extent::Core, ..Recipe::default() };
            freshness(self.0.path(), &self.at("index.toponym"), default)
        }
    }

    /// An index of one place.
    fn index(title: &str) -> Vec<u8> {
        let place = Record {
            id: 1,
            kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
            names: vec![Name { text: "France".into(), class: NameClass::Primary, lang: None }],
            codes: Vec::new(),
            position: Coordinate::new(46.6, 2.4).expect("it is in range"),
            parent: None,
            country: *b"FR",
            importance: 0.9,
            extent_m: 500_000.0,
            bounds: None,
        };
        let about = About { title: title.into(), ..About::default() };
        let gazetteer = Gazetteer { places: vec![place], about, ..Gazetteer::default() };
        toponym_engine::index::write(&gazetteer).expect("the gazetteer is valid")
    }

    /// Builds, changes something, and compares: `fresh`, `unknown`, or the arguments and the reason.
    fn check(change: impl FnOnce(&Project), expect: &str) {
        let project = Project::new();
        project.build();
        change(&project);
        let found = match project.freshness() {
            Ok(Freshness::Fresh) => "fresh".to_owned(),
            Ok(Freshness::Unknown) => "unknown".to_owned(),
            Ok(Freshness::Stale { recipe, reason }) => format!("[{recipe}] {reason}"),
            Err(error) => format!("error: {error}"),
        };
        let root = project.0.path().to_string_lossy().into_owned();
        assert!(found.replace(&*root, "").contains(expect), "{found}, not {expect}");
    }

    #[test]
    fn an_index_is_fresh_until_something_that_decides_changes() {
        check(|_| {}, "fresh");
        check(|project| project.write("data/README.md", "b"), "fresh");
        check(|project| project.write("data/curated/README.md", "b"), "fresh");
        check(|project| project.write("data/tables/words.csv", "a"), "fresh");
        check(
            |project| project.write("data/tables/words.csv", "b"),
            "[--add /my.csv] data/tables/words.csv has changed",
        );
        check(|project| project.write("data/sources.toml", "b"), "[--add /my.csv] data/sources.toml has changed");
        check(|project| project.write("data/curated/new.csv", "b"), "data/curated/new.csv is new");
        check(|project| project.write("my.csv", "b"), "[--add /my.csv] /my.csv has changed");
        let remove = |project: &Project, path: &str| std::fs::remove_file(project.at(path)).expect("it is there");
        check(|project| remove(project, "data/tables/words.csv"), "data/tables/words.csv is gone");
        let both = |project: &Project| {
            project.write("data/sources.toml", "b");
            remove(project, "data/tables/words.csv");
        };
        check(both, "data/sources.toml has changed, and 1 more");
    }

    #[test]
    fn an_import_that_is_gone_matters_when_it_is_needed() {
        let remove = |project: &Project| std::fs::remove_file(project.at("my.csv")).expect("it is there");
        check(remove, "fresh");
        let both = |project: &Project| {
            remove(project);
            project.write("data/sources.toml", "b");
        };
        check(both, "error: data/sources.toml has changed, so /index.toponym has to be built anew, but the file");
    }

    #[test]
    fn an_index_of_unknown_origin_is_kept_if_it_can_be_read() {
        let receipt = |project: &Project| std::fs::remove_file(project.at("index.toponym.json")).expect("it is there");
        check(receipt, "unknown");
        let other = |project: &Project| {
            project.write("index.toponym", index("another"));
        };
        check(other, "unknown");
        check(|project| project.write("index.toponym", "damaged"), "[--add /my.csv] /index.toponym: ");
        let itself = |project: &Project| std::fs::remove_file(project.at("index.toponym")).expect("it is there");
        check(itself, "[--add /my.csv] there is no /index.toponym");
        let neither = |project: &Project| {
            itself(project);
            receipt(project);
        };
        check(neither, "[--core] there is no /index.toponym");
    }

    #[test]
    fn pages_are_those_of_the_index_or_stale() {
        let check = |recipe: Option<&dyn Fn(&Project) -> Recipe>, change: &dyn Fn(&Project), expect: &str| {
            let project = Project::new();
            project.build();
            if let Some(recipe) = recipe {
                project.build_by(recipe(&project), "index.pages/root.toponym");
            }
            change(&project);
            let [folder, index] = ["index.pages", "index.toponym"].map(|path| project.at(path));
            let found = freshness_of_pages(project.0.path(), &folder, &index, Recipe::default());
            let found = format!("{:?}", found.expect("the files can be read"));
            let root = project.0.path().to_string_lossy().into_owned();
            assert!(found.replace(&*root, "").contains(expect), "{found}, not {expect}");
        };
        let (own, nothing) = (&Project::recipe, &|_: &Project| {});
        check(Some(own), nothing, "Fresh");
        check(None, nothing, "there is no /index.pages/root.toponym");
        check(Some(&|_| Recipe::default()), nothing, "Fresh");
        check(Some(&|_| Recipe::default()), &Project::build, "has the pages of another index");
        check(Some(own), &|project| project.write("data/sources.toml", "b"), "data/sources.toml has changed");
        let damage = |project: &Project| project.write("index.pages/root.toponym", "damaged");
        check(Some(own), &damage, "not a Toponym index");
        let without_receipt =
            |project: &Project| std::fs::remove_file(project.at("index.pages/root.toponym.json")).expect("it is there");
        check(Some(own), &without_receipt, "Unknown");
    }

    #[test]
    fn another_builder_is_a_reason() {
        let inputs = |digest: &str| Inputs::from([(BUILDER.to_owned(), digest.to_owned())]);
        assert_eq!(difference(&inputs("a"), &inputs("b"), &[]).as_deref(), Some("the builder has changed"));
        assert_eq!(difference(&inputs("a"), &inputs("a"), &[]), None);
    }
}
