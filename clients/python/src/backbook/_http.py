"""HTTP requests and their retries: which failures are retried, and after how long."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Optional

import requests

from ._errors import ConnectionBroken, Problem, problem_of

#: Longest `Retry-After` that the client waits for. Beyond it, the refusal is raised.
_WAIT_S_MAX = 60.0
_BROKEN = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class Http:
    """Sends requests to one server with one key. Tests replace `sleep`."""

    def __init__(
        self,
        url: str,
        key: Optional[str],
        *,
        tries: int = 5,
        timeout_s: float = 120,
        session: Optional[requests.Session] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url must be an address such as http://127.0.0.1:8080, got {url!r}")
        # A key read from a file ends with a line break. The error does not show the key: it may be a secret.
        key = (key or "").strip()
        if not key.isascii():
            raise ValueError("key has a character that no key has: was it copied whole?")
        self.url = url.rstrip("/")
        self.tries = tries
        self.timeout_s = timeout_s
        self.sleep = sleep
        self._session = session or requests.Session()
        self._headers = {} if not key else {"Authorization": f"Bearer {key}"}

    def close(self) -> None:
        self._session.close()

    def json(self, path: str, query: Mapping[str, Any], *, method: str = "GET", body: Any = None) -> Any:
        """Returns the parsed answer. Raises Problem on refusal, ConnectionBroken if no attempt brought all of it."""

        def read(response: requests.Response) -> Any:
            # `requests` may not notice a truncated answer. It is invalid JSON, and `ask` then retries.
            return json.loads(response.content)

        return self.ask(path, query, read, method=method, body=body, headers={"Accept": "application/json"})

    def ask(
        self,
        path: str,
        query: Mapping[str, Any],
        read: Callable[[requests.Response], Any],
        *,
        method: str = "GET",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        stream: bool = False,
    ) -> Any:
        """Returns `read(response)`. Retries after 503, after rate limits and after broken connections."""
        attempt = 0
        while True:
            attempt += 1
            try:
                with self.send(path, query, method=method, body=body, headers=headers, stream=stream) as response:
                    return read(response)
            except Problem as problem:
                if attempt >= self.tries or not is_worth_another(problem):
                    raise
                wait_s = problem.retry_after_s if problem.retry_after_s is not None else float(attempt)
            except (*_BROKEN, json.JSONDecodeError) as error:
                if attempt >= self.tries:
                    raise ConnectionBroken(f"{path}: no whole answer in {attempt} tries: {error}") from error
                wait_s = float(attempt)
            self.sleep(wait_s)

    def send(
        self,
        path: str,
        query: Mapping[str, Any],
        *,
        method: str = "GET",
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        stream: bool = False,
        timeout: Any = None,
    ) -> requests.Response:
        """Sends one request. Raises Problem on refusal, an error of `requests` on a failed connection."""
        response = self._session.request(
            method,
            self.url + path,
            params={name: value for name, value in query.items() if value is not None},
            json=body,
            headers={**self._headers, **(headers or {})},
            timeout=timeout or self.timeout_s,
            stream=stream,
            # A redirect could send the key to another server.
            allow_redirects=False,
        )
        if 200 <= response.status_code < 300:
            return response
        with response:
            raise problem_of(response.status_code, _document(response), _retry_after_s(response))


def is_worth_another(problem: Problem) -> bool:
    """Returns whether to retry after the wait that the server requests, at most a minute."""
    # A used-up quota returns next month. Most other limits end within seconds.
    is_short = problem.status == 503 or (problem.status == 429 and problem.code != "quota_exceeded")
    return is_short and (problem.retry_after_s is None or problem.retry_after_s <= _WAIT_S_MAX)


def is_broken(error: BaseException) -> bool:
    return isinstance(error, _BROKEN)


def _document(response: requests.Response) -> Dict[str, Any]:
    try:
        document = response.json()
    except (ValueError, requests.RequestException):
        # The answer is not from the server but from something between, such as a proxy.
        return {}
    return document if isinstance(document, dict) else {}


def _retry_after_s(response: requests.Response) -> Optional[float]:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None
