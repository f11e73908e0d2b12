"""Makes everything that people install, in build/release/VERSION. `cargo xtask release` runs it.

    release.py VERSION --dry-run [--repository URL] [--platform-only INDEXES] [--check-twice] [--quick]

Nothing is published: .github/workflows/release.yml does that with these files, when its owner pushes a tag. The same commit gives
the same bytes: all times are those of the commit.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from archives import deb, epoch, output, run, sha256, tar
from sbom import sbom

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"

# A version of semver, which npm, cargo, pip and dpkg all can order.
VERSION = re.compile(r"\d+\.\d+\.\d+(-[a-z]+\.\d+)?")

# The crate that others build on.
CRATE = "toponym-engine"

# The crates that a second making compiles again.
COMPILED = ["toponym-cli", "toponym-python", "toponym-builder", "toponym-edge", CRATE]

# Where each shell looks for completions, below /usr or a folder like it.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/toponym",
    "zsh": "share/zsh/vendor-completions/_toponym",
    "fish": "share/fish/vendor_completions.d/toponym.fish",
}


def main() -> None:
    """Makes the files, and with --check-twice once more."""
    parser = argparse.ArgumentParser("cargo xtask release", description="Makes everything that people install, in build/release/VERSION.")
    parser.add_argument("version", help="such as 1.2.3 or 1.3.0-rc.1")
    parser.add_argument("--dry-run", action="store_true", help="needed: only the workflow publishes, when a tag is pushed")
    parser.add_argument("--repository", metavar="URL", help="public address of the repository [default: the remote `origin`, if it is public]")
    parser.add_argument("--platform-only", metavar="INDEXES", type=Path, help="makes what differs between platforms; takes indexes.json of the release")
    parser.add_argument("--check-twice", action="store_true", help="makes all again, and fails if a file differs")
    parser.add_argument("--quick", action="store_true", help="for tests: compiles as for tests, without pages, in a tree with changes")
    chosen = parser.parse_args()
    if not VERSION.fullmatch(chosen.version):
        parser.error(f"the version must be like 1.2.3 or 1.3.0-rc.1, not {chosen.version}")
    if not chosen.dry_run:
        parser.error(f"give --dry-run: to publish, push the tag v{chosen.version}, and .github/workflows/release.yml does it")
    os.chdir(ROOT)
    changes = output("git", "status", "--porcelain")
    if changes and not chosen.quick:
        parser.error(f"the tree must be clean, but these files have changed: commit or remove them\n{changes}")
    os.environ["SOURCE_DATE_EPOCH"] = output("git", "log", "-1", "--format=%ct")
    out = BUILD / "release" / chosen.version
    make(chosen, out)
    if chosen.check_twice:
        run("cargo", "clean", "--release", *(part for crate in COMPILED for part in ("--package", crate)))
        again = out.with_name(f"{chosen.version}.again")
        make(chosen, again)
        differing = [name for name, digest in sums(out).items() if sums(again).get(name) != digest]
        if differing:
            sys.exit(f"error: made again, these files differ: {', '.join(differing)}")
        print(f"made again, all {len(sums(out))} files have the same bytes")


def make(chosen: argparse.Namespace, out: Path) -> None:
    """Makes all files in the folder `out`."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    version = chosen.version
    page = None
    if chosen.platform_only:
        indexes = json.loads(chosen.platform_only.read_text())
        (out / "indexes.json").write_text(chosen.platform_only.read_text())
        page = indexes["repository"]
    else:
        if not chosen.quick:
            for product in ["npm", "selfhost"]:
                run("cargo", "xtask", "build", product)
            run("cargo", "toponym", "index", "--if-stale", "--paged")
        page = packages(out, version, chosen)
        (out / "indexes.json").write_text(json.dumps(listed(out, version, page, chosen.quick), indent=2, ensure_ascii=False) + "\n")
        shutil.copy(ROOT / "data/NOTICES.txt", out / f"toponym-{version}-NOTICES.txt")
        ignored = (BUILD / "selfhost/.containerignore").read_text().split()
        tar(BUILD / "selfhost", out / f"toponym-{version}-container.tar.gz", f"toponym-{version}", lambda path: path.parts[0] not in ignored)
        (out / "CHANGELOG.md").write_text(section(version))
        time = datetime.fromtimestamp(epoch(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        (out / f"toponym-{version}-sbom.cdx.json").write_text(sbom(ROOT, version, time))
    with versioned(version) as is_changed:
        wheel(out, chosen)
        command(out, version, page, chosen.quick)
        if not chosen.platform_only:
            crate(out, version, is_changed or chosen.quick)
    if chosen.platform_only:
        # That of the release is there already.
        (out / "indexes.json").unlink()
    (out / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums(out).items()))
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path.name}")


def sums(folder: Path) -> dict[str, str]:
    """Returns the checksum of each file of a release."""
    return {path.name: sha256(path) for path in sorted(folder.iterdir()) if path.name != "SHA256SUMS"}


def packages(out: Path, version: str, chosen: argparse.Namespace) -> str | None:
    """Packs the npm packages, and returns the page of the repository, if it is public."""
    make = ["node", "pkg-build/npm/make/make.mjs"]
    options = ["--version", version, *(["--repository", chosen.repository] if chosen.repository else [])]
    if chosen.quick:
        run(*toponym(), "pack", "--out", BUILD / "full.bin", BUILD / "index.toponym")
        run(*make, "full", *options, "--pack", BUILD / "full.bin", "--attribution", "\n".join(attribution()))
    for kind in ["around", "serve"]:
        run(*make, kind, *options)
    for folder in sorted(BUILD.glob("npm*")):
        run("npm", "pack", "--silent", "--pack-destination", out, cwd=folder)
    homepage: str | None = json.loads((BUILD / "npm/package.json").read_text()).get("homepage")
    return homepage and homepage.removesuffix("#readme")


def listed(out: Path, version: str, page: str | None, quick: bool) -> dict[str, object]:
    """Copies the packed indexes, and returns the list of them. `toponym fetch-index` and `Geocoder.load()` take its entries."""
    packs = {"default": "npm-full/full.*.bin", "core": "npm/core.*.bin", "first": "npm/first.*.bin"}
    files = {}
    for name, pattern in packs.items():
        [pack] = BUILD.glob(pattern)
        files[name] = out / f"toponym-{version}-{name}.bin"
        shutil.copyfile(pack, files[name])
    pages = out / f"toponym-{version}-pages.tar"
    if not quick:
        tar(alone(BUILD / "index.pages", BUILD / "release" / "stage" / "pages"), pages, "pages")
    return {
        "version": version,
        "repository": page,
        "address": f"{page}/releases/download/v{version}/" if page else None,
        "indexes": {name: entry(path) for name, path in files.items()},
        **({} if quick else {"pages": entry(pages)}),
        "attribution": attribution(),
    }


def alone(folder: Path, stage: Path) -> Path:
    """Copies an index in pages without the pages that only the index before had, which deployments keep. Returns `stage`."""
    shutil.rmtree(stage, ignore_errors=True)
    pages = json.loads((folder / "pages.json").read_text())
    others = set(pages["before"]) - set(pages["pages"])
    shutil.copytree(folder, stage, ignore=lambda _, names: others.intersection(names), copy_function=shutil.copyfile)
    (stage / "pages.json").write_text(json.dumps({**pages, "before": []}, indent=2))
    return stage


def entry(path: Path) -> dict[str, object]:
    """Returns what the list says of a file."""
    return {"file": path.name, "size": path.stat().st_size, "sha256": sha256(path)}


def toponym() -> list[str]:
    """Returns the command that runs the operator's program of this tree."""
    return ["cargo", "run", "--quiet", "--package", "toponym-cli", "--"]


def attribution() -> list[str]:
    """Returns the credits of the default index."""
    return output(*toponym(), "inspect", "--attribution", "--index", BUILD / "index.toponym").splitlines()


def section(version: str) -> str:
    """Returns the section of CHANGELOG.md for a version, which is that of what is not released yet if it has none of its own."""
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    by_title = {part.split("\n", 1)[0].split(" ")[0]: part.split("\n", 1)[1] for part in sections}
    return f"# Toponym {version}\n{by_title.get(version) or by_title['Unreleased']}"


@contextmanager
def versioned(version: str) -> Iterator[bool]:
    """Sets the version of the workspace meanwhile, and yields whether it had another one."""
    files = [ROOT / "Cargo.toml", ROOT / "Cargo.lock"]
    before = [path.read_bytes() for path in files]
    current = tomllib.loads(before[0].decode())["workspace"]["package"]["version"]
    if current == version:
        yield False
        return
    try:
        files[0].write_text(before[0].decode().replace(f'version = "{current}"', f'version = "{version}"', 1))
        run("cargo", "update", "--workspace", "--offline", "--quiet")
        yield True
    finally:
        for path, content in zip(files, before, strict=True):
            path.write_bytes(content)


def wheel(out: Path, chosen: argparse.Namespace) -> None:
    """Builds the wheel of this platform, and the source distribution once."""
    maturin = [sys.executable, "-m", "maturin"]
    manifest = ["--manifest-path", "engine/python/Cargo.toml", "--out", str(out)]
    if not chosen.platform_only:
        run(*maturin, "sdist", *manifest)
    run(*maturin, "build", "--locked", "--profile", "dev" if chosen.quick else "release", *manifest)
    if sys.platform == "linux":
        [built] = out.glob("*.whl")
        said = " ".join(output(sys.executable, "-m", "auditwheel", "show", built).split())
        tag = re.search(r'following platform tag: "(\w+)"', said)
        if not tag or tag[1] not in built.name or not tag[1].startswith("manylinux"):
            sys.exit(f"error: {built.name} does not run on the systems that its name promises:\n{said}")


def command(out: Path, version: str, page: str | None, quick: bool) -> None:
    """Builds the command of this platform with its completions and manual pages: as a tar, and as a Debian package where dpkg is."""
    build = ["cargo", "rustc", "--locked", "--package", "toponym-cli", "--bin", "toponym"]
    run(*build, *([] if quick else ["--release", "--", "-C", "strip=symbols"]))
    end = ".exe" if sys.platform == "win32" else ""
    built = ROOT / "target" / ("debug" if quick else "release") / f"toponym{end}"
    tree = BUILD / "release" / "stage" / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ["bin", "share/man/man1", "share/toponym", "share/doc/toponym"]:
        (tree / folder).mkdir(parents=True)
    shutil.copyfile(built, tree / "bin" / built.name)
    run(built, "man", "--out", tree / "share/man/man1")
    for shell, path in COMPLETIONS.items():
        (tree / path).parent.mkdir(parents=True)
        (tree / path).write_text(output(built, "completions", shell) + "\n")
    shutil.copyfile(out / "indexes.json", tree / "share/toponym/indexes.json")
    texts = [ROOT / "LICENSE-APACHE", ROOT / "LICENSE-MIT", ROOT / "data/NOTICES.txt", ROOT / "pkg-build/cli/README.md"]
    for text in texts:
        shutil.copyfile(text, tree / "share/doc/toponym" / text.name)
    [host] = re.findall(r"^host: (\S+)", output("rustc", "-vV"), flags=re.MULTILINE)
    tar(tree, out / f"toponym-{version}-{host}.tar.gz", f"toponym-{version}")
    if shutil.which("dpkg-deb"):
        deb(tree, out, version, "Geocodes places offline, and operates the service of it", page)


def crate(out: Path, version: str, is_changed: bool) -> None:
    """Packs the crate, and compiles it as those who download it do."""
    run("cargo", "package", "--package", CRATE, "--locked", *(["--allow-dirty"] if is_changed else []))
    shutil.copy(ROOT / "target/package" / f"{CRATE}-{version}.crate", out)


if __name__ == "__main__":
    main()
