"""Builds the wheel and the source archive (PEP 517), with the standard library alone.

The same sources give the same bytes: files are sorted, and their times are fixed.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EPOCH = (2020, 1, 1, 0, 0, 0)
SOURCES = ("README.md", "pyproject.toml", "build_backend", "src", "tests")


def _project():
    """Reads the needed fields of pyproject.toml with regular expressions, since Python 3.9 has no TOML parser."""
    text = _read("pyproject.toml").decode()
    words = lambda key: re.search(r'^%s = "(.*)"$' % key, text, re.M).group(1)
    lists = lambda table: re.findall(r'^(\S+) = \[(.*)\]$', text.split("[%s]\n" % table)[1].split("\n[")[0], re.M)
    names = lambda listed: re.findall(r'"([^"]+)"', listed)
    return {
        "name": words("name"),
        "version": words("version"),
        "summary": words("description"),
        "python": words("requires-python"),
        "requires": names(dict(lists("project"))["dependencies"]),
        "extras": [(extra, names(listed)) for extra, listed in lists("project.optional-dependencies")],
    }


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + project["name"],
        "Version: " + project["version"],
        "Summary: " + project["summary"],
        "License: MIT",
        "Requires-Python: " + project["python"],
        "Description-Content-Type: text/markdown",
    ]
    lines += ["Requires-Dist: " + need for need in project["requires"]]
    for extra, needs in project["extras"]:
        lines.append("Provides-Extra: " + extra)
        lines += ['Requires-Dist: %s ; extra == "%s"' % (need, extra) for need in needs]
    return ("\n".join(lines) + "\n\n").encode() + _read("README.md")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    name = "%s-%s" % (project["name"], project["version"])
    info = name + ".dist-info"
    files = [(path[len("src/") :], _read(path)) for path in _files("src")]
    files.append((info + "/METADATA", _metadata(project)))
    wheel = "Wheel-Version: 1.0\nGenerator: backbook_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files.append((info + "/WHEEL", wheel.encode()))
    record = ["%s,sha256=%s,%d" % (path, _digest(data), len(data)) for path, data in files]
    record.append(info + "/RECORD,,")
    files.append((info + "/RECORD", ("\n".join(record) + "\n").encode()))
    wheel_name = name + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel_name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel_name


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    name = "%s-%s" % (project["name"], project["version"])
    files = [(path, _read(path)) for source in SOURCES for path in _files(source)]
    files.append(("PKG-INFO", _metadata(project)))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(name + "/" + path)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    with open(os.path.join(sdist_directory, name + ".tar.gz"), "wb") as out:
        out.write(gzip.compress(packed.getvalue(), mtime=0))
    return name + ".tar.gz"


def _files(source):
    """Returns `source` if it is a file, else the sorted paths of its .py and .typed files, with slashes."""
    if os.path.isfile(os.path.join(ROOT, source)):
        return [source]
    found = []
    for folder, folders, names in os.walk(os.path.join(ROOT, source)):
        folders[:] = [each for each in folders if each != "__pycache__" and not each.endswith(".egg-info")]
        for each in names:
            if each.endswith((".py", ".typed")):
                found.append(os.path.relpath(os.path.join(folder, each), ROOT).replace(os.sep, "/"))
    return sorted(found)


def _read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
