"""Exceptions: one class for each kind of failure that a program may want to handle differently."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Type


class BackbookError(Exception):
    """Base class of all errors of this package."""


class ConnectionBroken(BackbookError):
    """No attempt brought a complete answer: the server is unreachable, or the connection broke each time."""


class ChecksumMismatch(BackbookError):
    """A downloaded file does not match the SHA-256 in the server's list. The file was removed."""


class Problem(BackbookError):
    """The server refused a request. `code` is for programs, `detail` for people."""

    def __init__(self, status: int, document: Dict[str, Any], retry_after_s: Optional[float] = None) -> None:
        self.status = status
        self.code: str = str(document.get("code", "unknown"))
        self.title: str = str(document.get("title", ""))
        self.detail: str = str(document.get("detail", ""))
        #: The invalid parameters, each with `field` and `message`.
        self.errors: List[Dict[str, str]] = list(document.get("errors") or [])
        self.request_id: Optional[str] = document.get("request_id")
        #: Seconds to wait before a retry, from the header `Retry-After`; None if absent.
        self.retry_after_s = retry_after_s
        super().__init__(f"{self.code}: {self.detail or self.title or 'status ' + str(status)}")
        self._document = document

    def __reduce__(self) -> Any:
        # Pickling: a pool passes an error between processes by its arguments.
        return type(self), (self.status, self._document, self.retry_after_s)


class InvalidRequest(Problem):
    """400 and similar: the request itself is wrong, and repeating it does not help."""


class CursorStale(InvalidRequest):
    """Records before the cursor have changed since it was issued. Read the range again from its start."""


class Unauthorized(Problem):
    """401: the key is missing, unknown, expired or revoked."""


class Forbidden(Problem):
    """403: the key is for the other venue."""


class NotFound(Problem):
    """404: the path or what it names does not exist."""


class NotStored(NotFound):
    """404: nothing is stored of this market, token or date."""


class QuotaExceeded(Problem):
    """429: all calls of the plan for this month are used. Not retried: `retry_after_s` runs until next month."""


class RateLimited(Problem):
    """429: calls come faster than the plan allows, after all retries or with a wait of over a minute."""


class ServerError(Problem):
    """5xx: the server is unavailable (503, after all retries) or failed."""


_BY_CODE: Dict[str, Type[Problem]] = {
    "cursor_stale": CursorStale,
    "market_not_stored": NotStored,
    "asset_not_stored": NotStored,
    "date_not_stored": NotStored,
    "quota_exceeded": QuotaExceeded,
}
_BY_STATUS: Dict[int, Type[Problem]] = {401: Unauthorized, 403: Forbidden, 404: NotFound, 429: RateLimited}


def problem_of(status: int, document: Dict[str, Any], retry_after_s: Optional[float]) -> Problem:
    kind = _BY_CODE.get(str(document.get("code"))) or _BY_STATUS.get(status)
    if kind is None:
        kind = ServerError if status >= 500 else InvalidRequest
    return kind(status, document, retry_after_s)
