"""What can go wrong, as exceptions: one for each kind of refusal that a program may handle differently."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Type


class BackbookError(Exception):
    """All errors of this package."""


class ConnectionBroken(BackbookError):
    """The server cannot be reached, or its answers broke off, in all attempts."""


class ChecksumMismatch(BackbookError):
    """A received file does not match the server's list; nothing of it was stored."""


class Problem(BackbookError):
    """The server refused a request. `code` is for programs, `detail` for people."""

    def __init__(self, status: int, document: Dict[str, Any], retry_after_s: Optional[float] = None) -> None:
        self.status = status
        self.code: str = str(document.get("code", "unknown"))
        self.title: str = str(document.get("title", ""))
        self.detail: str = str(document.get("detail", ""))
        #: The parameters that are wrong: `field` and `message` of each.
        self.errors: List[Dict[str, str]] = list(document.get("errors") or [])
        self.request_id: Optional[str] = document.get("request_id")
        #: Seconds after which the server says that it is worth asking again, or None.
        self.retry_after_s = retry_after_s
        super().__init__(f"{self.code}: {self.detail or self.title or 'status ' + str(status)}")
        self._document = document

    def __reduce__(self) -> Any:
        # Another process, such as a worker of a pool, makes the error from these.
        return type(self), (self.status, self._document, self.retry_after_s)


class InvalidRequest(Problem):
    """400 and similar: the request itself is wrong, and repeating it does not help."""


class CursorStale(InvalidRequest):
    """Records before the cursor have changed since it was given: read the range from its beginning."""


class Unauthorized(Problem):
    """401: the key is missing, unknown, expired or revoked."""


class Forbidden(Problem):
    """403: the key is for the other venue."""


class NotFound(Problem):
    """404."""


class NotStored(NotFound):
    """404: nothing is stored of this market, token or date."""


class QuotaExceeded(Problem):
    """429: the month's calls of the plan are used up. Not retried: `retry_after_s` lasts until the next month."""


class RateLimited(Problem):
    """429: calls come faster than the plan allows, and waiting for `retry_after_s` did not help."""


class ServerError(Problem):
    """5xx: the server cannot answer now (503, after several attempts), or has a fault."""


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
