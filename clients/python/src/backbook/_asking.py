"""What the parts of Client share: GET requests, and the parameters that name a market."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._http import Http

VENUES = ("kalshi", "polymarket")


class Asking:
    """Base class of the parts of Client: sends GET requests."""

    _http: Http

    def _get(self, path: str, **query: Any) -> Any:
        return self._http.json(f"/api/v1/{path}", query)


def checked(venue: str) -> str:
    if venue not in VENUES:
        raise ValueError(f"venue must be one of {', '.join(VENUES)}, got {venue!r}")
    return venue


def market_ids(
    venue: str, market: str, asset_id: Optional[str] = None, source: Optional[str] = None
) -> Dict[str, str]:
    """Returns the parameters that name a market or one of its tokens, and the source if given."""
    asked = {} if source is None else {"source": source}
    if checked(venue) == "kalshi":
        if asset_id is not None:
            raise ValueError("markets of Kalshi have one book, and no asset_id")
        return {"ticker": market, **asked}
    return {"condition_id": market, **({"asset_id": asset_id} if asset_id is not None else {}), **asked}
