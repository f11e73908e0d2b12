//! `cargo xtask build npm`: the npm packages in `build/npm` (`toponym`, with the core pack) and `build/npm-full` (the full one), and
//! those around them.
//!
//! ```text
//! engine/js ─> cargo ─> wasm-bindgen ─> wasm-opt ─> engine.js, engine_bg.wasm ─┐
//! toponym index --core ─> toponym pack ─> core.<hash>.bin ─────────────────────┼─> build/npm
//! pkg-build/npm: sources, types, README, licences ─────────────────────────────┘
//! ```
//!
//! Packs are named after a hash of their content, so they can be cached forever. The folders are replaced at the end,
//! when they are complete.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use fs_err as fs;
use indicatif::DecimalBytes;
use sha2::{Digest, Sha256};
use toponym_terminal::process;
use toponym_terminal::report::{self, Work};
use toponym_terminal::workspace::Workspace;

use super::bindgen::{self, Target};
use super::digest::{self, Digest as Inputs};
use super::npm_package;
use super::repository::Repository;
use super::setup;
use super::size::Size;
use super::toponym;
use super::wasm_opt;

/// The target of the engine.
const WASM: &str = "wasm32-unknown-unknown";

/// A first build, for local runs and for deployment: wasm-opt takes half of the latter.
const QUICK_BUILD: Work = Work::shared(55);
const BUILD: Work = Work::shared(130);

/// Packing an index, for local runs and as small as possible.
const QUICK_PACK: Work = Work::alone(10);
const PACK: Work = Work::alone(60);

/// Inputs of the package with the core pack. `toponym index --if-stale` knows the inputs of the index among them.
const SOURCES: [&str; 11] = [
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    CORE_INDEX,
    NOTICES,
    "edge-worker/package-lock.json",
    "engine/js",
    "engine/src",
    "pkg-build/builder/src",
    "pkg-build/npm",
    "pkg-build/xtask/src",
];

/// The index in the core pack.
const CORE_INDEX: &str = "build/core.toponym";

/// The credits and licence texts of the data.
const NOTICES: &str = "data/NOTICES.txt";

/// The option of `toponym pack` for deployment.
const SMALLEST: &str = "--smallest";

/// Number of hash digits in the name of a pack.
const NAME_DIGITS: usize = 16;

/// The folder of the packages' sources.
const DIRECTORY: &str = "pkg-build/npm";

/// The placeholder for the attribution in the README.
const ATTRIBUTION: &str = "<!-- attribution -->";

/// Packages of sources alone, around the one with the engine: their folders in `pkg-build` and in `build`.
const AROUND: [(&str, &str); 5] = [
    ("pkg-build/react", "npm-react"),
    ("pkg-build/vue", "npm-vue"),
    ("pkg-build/maplibre", "npm-maplibre"),
    ("pkg-build/leaflet", "npm-leaflet"),
    ("pkg-build/mcp", "npm-mcp"),
];

/// A packed index in a package.
struct Pack {
    /// `core` or `full`.
    title: &'static str,
    bytes: Vec<u8>,
    sha256: String,
    attribution: Vec<String>,
}

/// Builds all packages, which name the repository at the address `repository`, or else the remote of this clone.
pub fn run(workspace: &Workspace, repository: Option<&str>) -> Result<()> {
    let repository =
        repository.map_or_else(|| Ok(Repository::of_clone(workspace)), |it| Repository::parse(it).map(Some))?;
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    build_from(workspace, Size::Small, repository.as_ref())?;
    let full = packed(workspace, "full", &workspace.index(), &[])?;
    npm_package::place(workspace, "npm-full", |folder| full_package(workspace, folder, &full, repository.as_ref()))?;
    if repository.is_none() {
        report::remark(
            "the packages name no repository, for the remote `origin` of this clone is no public one. npm needs it to publish \
             with provenance: `cargo xtask build npm --repository https://...`",
        );
    }
    Ok(())
}

/// Builds the package with the core pack, unless its inputs are unchanged, and those around it.
pub fn build(workspace: &Workspace, size: Size) -> Result<()> {
    build_from(workspace, size, Repository::of_clone(workspace).as_ref())
}

fn build_from(workspace: &Workspace, size: Size, repository: Option<&Repository>) -> Result<()> {
    package_of_core(workspace, size)?;
    // Each time: another address needs no other build.
    fs::write(manifest_path(workspace), npm_package::manifest(workspace, DIRECTORY, "package.json", repository)?)?;
    AROUND
        .iter()
        .try_for_each(|(directory, folder)| npm_package::from_sources(workspace, directory, folder, repository))
}

/// Builds the package with the core pack alone, unless its inputs are unchanged.
pub fn package_of_core(workspace: &Workspace, size: Size) -> Result<()> {
    toponym::ensure_core_index(workspace)?;
    let (origin, as_good) = origins(workspace, size)?;
    digest::unless_current(workspace, "the npm package", &manifest_path(workspace), (&origin, &as_good), || {
        package(workspace, size)
    })
}

fn manifest_path(workspace: &Workspace) -> PathBuf {
    workspace.root().join("build").join("npm").join("package.json")
}

/// The inputs of the package, after [`build`], and those of packages that serve as well.
pub fn origins(workspace: &Workspace, size: Size) -> Result<(Inputs, Vec<Inputs>)> {
    let of = |size: Size| Inputs::new(workspace.root(), &SOURCES, &[format!("{size:?}")]);
    Ok((of(size)?, if size == Size::Small { Vec::new() } else { vec![of(Size::Small)?] }))
}

fn package(workspace: &Workspace, size: Size) -> Result<()> {
    let engine = engine(workspace, size)?;
    let smallest: &[&str] = if size == Size::Small { &[SMALLEST] } else { &[] };
    let core = packed(workspace, "core", &workspace.root().join(CORE_INDEX), smallest)?;
    npm_package::place(workspace, "npm", |folder| core_package(workspace, folder, &engine, &core))?;
    let size = |path: PathBuf| fs::metadata(path).map(|file| DecimalBytes(file.len()));
    let wasm = size(engine.join("engine_bg.wasm"))?;
    report::remark(&format!("build/npm: wasm {wasm}, core pack {}", DecimalBytes(core.bytes.len() as u64)));
    Ok(())
}

/// The builds of the engine, with their features: who uses a pack does without the code for pages.
const ENGINES: [(&str, &[&str]); 2] = [("engine", &[]), ("engine-pages", &["--features", "pages"])];

/// Builds the engine as wasm with its JavaScript glue, in a folder below the target folder.
pub fn engine(workspace: &Workspace, size: Size) -> Result<PathBuf> {
    let folder = match size {
        Size::Quick => workspace.target().join("npm-engine"),
        Size::Small => workspace.root().join("build/small/engine"),
    };
    let wasm = workspace.target().join(WASM).join(size.profile()).join("toponym_js.wasm");
    let work = if size == Size::Quick { QUICK_BUILD } else { BUILD };
    report::step(&format!("build the engine for JavaScript ({work})"), |line| {
        ENGINES.iter().try_for_each(|(name, features)| {
            let arguments = ["build", "--profile", size.profile(), "--target", WASM, "--package", "toponym-js"];
            process::run_behind(line, workspace.cargo(&[&arguments[..], features].concat())?)?;
            bindgen::run(Target::Web, name, &wasm, &folder)?;
            if size != Size::Small {
                return Ok(());
            }
            wasm_opt::run(workspace, line, &folder.join(format!("{name}_bg.wasm")), &["-O3", "--strip-debug"])
        })
    })?;
    Ok(folder)
}

fn packed(workspace: &Workspace, title: &'static str, index: &Path, options: &[&str]) -> Result<Pack> {
    let mut inspect = toponym::command(workspace, &["inspect", "--attribution", "--index"])?;
    inspect.arg(index);
    let attribution = process::output(inspect)?.lines().map(str::to_owned).collect();
    let out = workspace.target().join(format!("{title}.bin"));
    let mut pack = toponym::command(workspace, &["pack"])?;
    pack.args(options).arg("--out").arg(&out).arg(index);
    let work = if options.contains(&SMALLEST) { PACK } else { QUICK_PACK };
    report::step(&format!("pack the {title} index ({work})"), |line| process::run_behind(line, pack))?;
    let bytes = fs::read(&out)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Pack { title, bytes, sha256, attribution })
}

impl Pack {
    /// `.bin`, because wrangler treats it as bytes without configuration.
    fn file(&self) -> String {
        format!("{}.{}.bin", self.title, &self.sha256[..NAME_DIGITS])
    }

    /// The argument of `Geocoder.load()`, with the address in the form that bundlers recognise. A getter, because a module of
    /// a Worker has no address: importing it must not fail where a server renders a page.
    fn source(&self) -> String {
        let Self { bytes, sha256, .. } = self;
        let url = format!("new URL(\"./{}\", import.meta.url)", self.file());
        format!("{{\n  get url() {{\n    return {url};\n  }},\n  sha256: \"{sha256}\",\n  size: {},\n}}", bytes.len())
    }
}

fn core_package(workspace: &Workspace, folder: &Path, engine: &Path, core: &Pack) -> Result<()> {
    let sources = sources(workspace);
    npm_package::copy_all(&sources.join("src"), folder)?;
    npm_package::copy_all(engine, folder)?;
    licences(workspace, folder)?;
    fs::write(folder.join(core.file()), &core.bytes)?;
    fs::write(
        folder.join("core.js"),
        format!("// Where the core pack is.\n\nexport const core = {};\n", core.source()),
    )?;
    let module = format!(
        "// The core pack as a module of a Worker.\n\nexport {{ default as bytes }} from \"./{}\";\n",
        core.file()
    );
    fs::write(folder.join("core-module.js"), module)?;
    let readme = fs::read_to_string(sources.join("README.md"))?;
    ensure!(readme.contains(ATTRIBUTION), "the README of the package has no placeholder for the attribution");
    fs::write(folder.join("README.md"), readme.replace(ATTRIBUTION, &attribution(core)))?;
    Ok(fs::write(folder.join("package.json"), npm_package::manifest(workspace, DIRECTORY, "package.json", None)?)?)
}

fn full_package(workspace: &Workspace, folder: &Path, full: &Pack, repository: Option<&Repository>) -> Result<()> {
    licences(workspace, folder)?;
    fs::write(folder.join(full.file()), &full.bytes)?;
    fs::write(
        folder.join("index.js"),
        format!("// What `Geocoder.load()` of toponym takes.\n\nexport default {};\n", full.source()),
    )?;
    let types = "/** What `Geocoder.load()` of toponym takes. */\ndeclare const full: { readonly url: URL; sha256: string; size: number };\n\
                 export default full;\n";
    fs::write(folder.join("index.d.ts"), types)?;
    let readme = format!(
        "# toponym-full\n\nEvery place of `toponym`, with all names.\n\n\
         ```js\nimport {{ Geocoder }} from \"toponym\";\nimport full from \"toponym-full\";\n\n\
         const geo = await Geocoder.load(full);\n```\n\n## Attribution\n\n{}\n",
        attribution(full)
    );
    fs::write(folder.join("README.md"), readme)?;
    Ok(fs::write(
        folder.join("package.json"),
        npm_package::manifest(workspace, DIRECTORY, "full.package.json", repository)?,
    )?)
}

fn attribution(pack: &Pack) -> String {
    pack.attribution.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// The licences of the code, and the credits of the data.
fn licences(workspace: &Workspace, folder: &Path) -> Result<()> {
    npm_package::licences(workspace, folder)?;
    fs::copy(workspace.root().join(NOTICES), folder.join("NOTICES.txt"))?;
    Ok(())
}

fn sources(workspace: &Workspace) -> PathBuf {
    workspace.root().join("pkg-build").join("npm")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_names_the_public_repository() {
        let workspace = Workspace::find();
        let repository = Repository::parse("https://code.example/owner/name").expect("the address is public");
        let own = [(DIRECTORY, "package.json"), (DIRECTORY, "full.package.json")];
        let around = AROUND.map(|(directory, _)| (directory, "package.json"));
        for (directory, name) in own.into_iter().chain(around) {
            let text = npm_package::manifest(&workspace, directory, name, Some(&repository)).expect("it can be read");
            let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(manifest["repository"]["type"], "git", "{directory}/{name}");
            assert_eq!(manifest["repository"]["url"], "git+https://code.example/owner/name.git", "{directory}/{name}");
            assert_eq!(manifest["repository"]["directory"], directory, "{directory}/{name}");
            assert_eq!(manifest["homepage"], "https://code.example/owner/name#readme", "{directory}/{name}");
            assert_eq!(manifest["bugs"]["url"], "https://code.example/owner/name/issues", "{directory}/{name}");
        }
    }

    #[test]
    fn a_pack_is_named_after_its_content() {
        let pack = Pack {
            title: "core",
            bytes: vec![1, 2, 3],
            sha256: "0123456789abcdef0".repeat(4),
            attribution: Vec::new(),
        };
        assert_eq!(pack.file(), "core.0123456789abcdef.bin");
        let source = pack.source();
        assert!(source.contains("new URL(\"./core.0123456789abcdef.bin\", import.meta.url)"), "{source}");
        assert!(source.contains("size: 3"), "{source}");
    }
}
