"""Downloads day files: to a partial file, resumed by byte range, renamed once the SHA-256 is right."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Dict, Union

import requests

from ._errors import ChecksumMismatch, ConnectionBroken, Problem
from ._http import Http, is_broken, is_worth_another

#: Path of a file: a text, or a `pathlib.Path`.
Place = Union[str, "os.PathLike[str]"]
#: Bytes read at a time. A broken connection may lose a partly received chunk, which is then requested again.
_CHUNK_BYTES = 1 << 14


def download(http: Http, path: str, to: Place, listed: Dict[str, Any]) -> bool:
    """Downloads the file to `to`. Returns False if an intact copy exists. `listed` has its `bytes` and `sha256`.

    Raises ChecksumMismatch if the received bytes do not match."""
    to = os.fspath(to)
    if _is_right(to, listed):
        return False
    partial = _partial(to)
    # A partial file of an older version fails the digest: it is removed, and the second pass receives the whole file.
    for _ in range(2):
        _receive(http, path, partial, listed)
        if _is_right(partial, listed):
            os.replace(partial, to)
            return True
        os.remove(partial)
    raise ChecksumMismatch(f"{path} does not match its SHA-256: it may have changed meanwhile, list the files again")


def _receive(http: Http, path: str, partial: str, listed: Dict[str, Any]) -> None:
    """Receives until the partial file is complete. Resumes after failures; progress resets their count."""
    open(partial, "ab").close()
    failures = 0
    while True:
        before = os.path.getsize(partial)
        if before == listed["bytes"]:
            return
        try:
            _receive_some(http, path, partial, listed)
            error: Any = "it ended early"
            wait_s = None
        except Problem as problem:
            if not is_worth_another(problem):
                raise
            error, wait_s = problem, problem.retry_after_s
        except requests.RequestException as broken:
            if not is_broken(broken):
                raise
            error, wait_s = broken, None
        after = os.path.getsize(partial)
        if after >= listed["bytes"]:
            return
        failures = 1 if after > before else failures + 1
        if failures >= http.tries:
            raise error if isinstance(error, Problem) else ConnectionBroken(f"{path}: {error}")
        http.sleep(float(failures) if wait_s is None else wait_s)


def _receive_some(http: Http, path: str, partial: str, listed: Dict[str, Any]) -> None:
    present = os.path.getsize(partial)
    headers = {"Accept-Encoding": "identity"}
    if 0 < present < listed["bytes"]:
        headers["Range"] = f"bytes={present}-"
        headers["If-Range"] = f'"{listed["sha256"]}"'
    with http.send(path, {}, headers=headers, stream=True) as response:
        # 206 continues the partial file. 200 restarts it: the file has changed, or no range was requested.
        with open(partial, "ab" if response.status_code == 206 else "wb") as file:
            for chunk in response.iter_content(_CHUNK_BYTES):
                file.write(chunk)


def _is_right(path: str, listed: Dict[str, Any]) -> bool:
    if not os.path.isfile(path) or os.path.getsize(path) != listed["bytes"]:
        return False
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK_BYTES), b""):
            digest.update(chunk)
    return digest.hexdigest() == listed["sha256"]


def _partial(to: str) -> str:
    """Returns the path of the partial file, beside `to`. Creates missing folders; raises if `to` is a folder."""
    if os.path.isdir(to):
        raise IsADirectoryError(f"{to} is a folder: name the file in it")
    os.makedirs(os.path.dirname(os.path.abspath(to)), exist_ok=True)
    return to + ".partial"


def save(http: Http, path: str, query: Dict[str, Any], to: Place) -> None:
    """Saves an answer to the file `to`, which is replaced only when the answer is complete."""
    to = os.fspath(to)
    partial = _partial(to)

    def write(response: requests.Response) -> None:
        with open(partial, "wb") as file:
            for chunk in response.iter_content(_CHUNK_BYTES):
                file.write(chunk)
        # `requests` does not check Content-Length. `tell` counts bytes as received, before decompression.
        length = response.headers.get("Content-Length")
        if length is not None and response.raw.tell() < int(length):
            raise requests.ConnectionError("the answer ended early")

    try:
        http.ask(path, query, write, stream=True)
        os.replace(partial, to)
    finally:
        if os.path.exists(partial):
            os.remove(partial)
