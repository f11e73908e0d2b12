"""Archives that depend on their files alone: sorted, with one time, no owner, and the modes of a shared machine."""

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

# Modes of files that everybody may read, and of programs and folders.
READ = 0o644
READ_AND_RUN = 0o755


def epoch() -> int:
    """Returns the time of all files of a release: that of its commit."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def tar(folder: Path, out: Path, top: str, wanted: Callable[[Path], bool] = lambda path: True) -> None:
    """Writes the files below `folder` that are `wanted` into a tar, below a folder `top`; compressed if `out` ends with .gz."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and wanted(path.relative_to(folder))):
            entry = tarfile.TarInfo(f"{top}/{path.relative_to(folder).as_posix()}")
            entry.size, entry.mtime = path.stat().st_size, epoch()
            entry.mode = READ_AND_RUN if is_program(path) else READ
            with path.open("rb") as file:
                archive.addfile(entry, file)
    # Without a name and a time.
    out.write_bytes(gzip.compress(plain.getvalue(), mtime=0) if out.suffix == ".gz" else plain.getvalue())


def is_program(path: Path) -> bool:
    """Tells whether a file is a program, also where the file system has no modes."""
    return path.parent.name == "bin" or path.suffix == ".sh"


def deb(tree: Path, out: Path, version: str, description: str, homepage: str | None) -> Path:
    """Writes a Debian package with the files below `tree`, which it installs into /usr, into the folder `out`."""
    architecture = output("dpkg", "--print-architecture")
    stage = tree.with_name("deb")
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(tree, stage / "usr", copy_function=shutil.copyfile)
    size = sum(path.stat().st_size for path in stage.rglob("*") if path.is_file()) // 1024
    fields = {
        "Package": "toponym",
        # A hyphen would begin a revision of Debian, and a tilde sorts before nothing, as a preview does.
        "Version": version.replace("-", "~"),
        "Architecture": architecture,
        "Maintainer": "The authors of Toponym",
        "Depends": f"libc6 (>= {newest_glibc(tree / 'bin/toponym')}), libgcc-s1",
        "Installed-Size": str(size),
        "Section": "science",
        "Priority": "optional",
        "Homepage": homepage,
        "Description": description,
    }
    control = stage / "DEBIAN/control"
    control.parent.mkdir()
    control.write_text("".join(f"{name}: {value}\n" for name, value in fields.items() if value))
    for path in [stage, *stage.rglob("*")]:
        path.chmod(READ_AND_RUN if path.is_dir() or is_program(path) else READ)
        os.utime(path, (epoch(), epoch()))
    file = out / f"toponym_{fields['Version']}_{architecture}.deb"
    # The bytes of xz would depend on the number of threads.
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", stage, file)
    return file


def newest_glibc(program: Path) -> str:
    """Returns the version of the C library that a program needs."""
    versions = re.findall(rb"GLIBC_(\d+)\.(\d+)", program.read_bytes())
    return ".".join(map(str, max((int(major), int(minor)) for major, minor in versions)))


def sha256(path: Path) -> str:
    """Returns the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run(*command: str | Path, **options: object) -> None:
    """Runs a program; an error if it fails."""
    subprocess.run([str(part) for part in command], check=True, stdout=2, **options)  # type: ignore[call-overload]


def output(*command: str | Path) -> str:
    """Returns what a program prints."""
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
