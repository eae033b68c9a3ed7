"""A replacement for EntityML's client that calls your own server: the same class, methods and arguments.

    from backbook.entityml import EntityMLClient      # instead of: from entityml import EntityMLClient

    client = EntityMLClient(api_key="bb_…", base_url="http://127.0.0.1:8080")
    day = client.kalshi.get_market_data(ticker="KXDEMODAY-26JUL20-T50", date="2026-07-20")

Methods return the server's JSON as a dictionary, and never retry. `backbook.Client` retries, and reads all pages.

Names, arguments and defaults match the package `entityml` 0.3.1 on PyPI
(https://github.com/anaygupta2004/poly-storage-sdk). The code is our own.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

import requests

__all__ = [
    "EntityMLAPIError",
    "EntityMLAuthError",
    "EntityMLClient",
    "EntityMLError",
    "PolyStorageAPIError",
    "PolyStorageAuthError",
    "PolyStorageClient",
    "PolyStorageError",
]

Answer = Dict[str, Any]
_PREFIX = "/api/v1"


class EntityMLError(Exception):
    """Base class of all errors of this module."""


class EntityMLAPIError(EntityMLError):
    """The server refused a call, or could not be reached (`status_code` is None)."""

    def __init__(
        self,
        message: str,
        *,
        status_code: Optional[int] = None,
        detail: Optional[str] = None,
        response_body: Any = None,
    ) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.detail = detail
        self.response_body = response_body


class EntityMLAuthError(EntityMLAPIError):
    """401, 403: the key is missing or invalid, or does not allow this request."""


class _Calls:
    def __init__(self, client: EntityMLClient) -> None:
        self._client = client

    def _get(self, path: str, **query: Any) -> Answer:
        return self._client._call("GET", path, query)


class System(_Calls):
    def health(self) -> Answer:
        return self._get("/health")

    def monitoring_status(self, *, token: Optional[str] = None) -> Answer:
        headers = {} if token is None else {"x-monitoring-token": token}
        return self._client._call("GET", "/monitoring/status", headers=headers)


class ApiKeys(_Calls):
    """Management of API keys. If the server has an admin token, the session must send it as `x-admin-token`."""

    def create(self, *, name: str, user_id: str) -> Answer:
        return self._client._call("POST", "/keys", {"name": name, "user_id": user_id})

    def list(self, *, user_id: str) -> Answer:
        return self._get("/keys", user_id=user_id)

    def delete(self, *, key_id: str, user_id: str) -> Answer:
        return self._client._call("DELETE", f"/keys/{key_id}", {"user_id": user_id})

    def get_last_used(self, *, key_id: str) -> Answer:
        return self._get(f"/keys/{key_id}/last-used")

    def get_name(self, *, key_id: str) -> Answer:
        return self._get(f"/keys/{key_id}/name")


class Lookup(_Calls):
    def polymarket_slug(self, *, slug: str) -> Answer:
        return self._get("/lookup/slug", slug=slug)


class _Venue(_Calls):
    _path = ""

    def list_markets(self, *, prefix: Optional[str] = None, offset: int = 0, limit: int = 100) -> Answer:
        return self._market("list", prefix=prefix, offset=offset, limit=limit)

    def _market(self, question: str, **query: Any) -> Answer:
        return self._get(f"{self._path}/market/{question}", **query)


class Polymarket(_Venue):
    _path = "/polymarket"

    def get_market_date_range(self, *, condition_id: str) -> Answer:
        return self._market("date-range", condition_id=condition_id)

    def get_market_data(self, *, condition_id: str, date: str, offset: int = 0, limit: int = 10_000) -> Answer:
        return self._market("data", condition_id=condition_id, date=date, offset=offset, limit=limit)

    def get_market_data_range(
        self,
        *,
        condition_id: str,
        start_timestamp: int,
        end_timestamp: int,
        cursor: Optional[str] = None,
        limit: int = 10_000,
    ) -> Answer:
        window = {"start_timestamp": start_timestamp, "end_timestamp": end_timestamp}
        return self._market("data/range", condition_id=condition_id, cursor=cursor, limit=limit, **window)

    def get_orderbook_summary(
        self,
        *,
        condition_id: str,
        asset_id: str,
        date: Optional[str] = None,
        start_timestamp: Optional[int] = None,
        end_timestamp: Optional[int] = None,
        resolution: int = 60,
    ) -> Answer:
        book = {"condition_id": condition_id, "asset_id": asset_id}
        window = {"date": date, "start_timestamp": start_timestamp, "end_timestamp": end_timestamp}
        return self._market("orderbook-summary", **book, **window, resolution=resolution)


class Kalshi(_Venue):
    _path = "/kalshi"

    def get_market_date_range(self, *, ticker: str) -> Answer:
        return self._market("date-range", ticker=ticker)

    def get_market_data(self, *, ticker: str, date: str, offset: int = 0, limit: int = 10_000) -> Answer:
        return self._market("data", ticker=ticker, date=date, offset=offset, limit=limit)

    def get_market_data_range(
        self,
        *,
        ticker: str,
        start_timestamp: int,
        end_timestamp: int,
        cursor: Optional[str] = None,
        limit: int = 10_000,
    ) -> Answer:
        window = {"start_timestamp": start_timestamp, "end_timestamp": end_timestamp}
        return self._market("data/range", ticker=ticker, cursor=cursor, limit=limit, **window)

    def get_orderbook_summary(
        self,
        *,
        ticker: str,
        date: Optional[str] = None,
        start_timestamp: Optional[int] = None,
        end_timestamp: Optional[int] = None,
        resolution: int = 60,
    ) -> Answer:
        window = {"date": date, "start_timestamp": start_timestamp, "end_timestamp": end_timestamp}
        return self._market("orderbook-summary", ticker=ticker, **window, resolution=resolution)


class Billing(_Calls):
    def create_checkout_session(
        self, *, user_id: str, email: str, success_url: str, cancel_url: str, tier: str = "starter"
    ) -> Answer:
        pages = {"success_url": success_url, "cancel_url": cancel_url}
        body = {"user_id": user_id, "email": email, **pages, "tier": tier}
        return self._client._call("POST", "/subscriptions/checkout", json=body)

    def create_portal_session(self, *, user_id: str, return_url: str) -> Answer:
        body = {"user_id": user_id, "return_url": return_url}
        return self._client._call("POST", "/subscriptions/portal", json=body)

    def get_subscription_status(self, *, user_id: str) -> Answer:
        return self._get("/subscriptions/status", user_id=user_id)

    def get_usage(self, *, user_id: str) -> Answer:
        return self._get("/usage", user_id=user_id)

    def stripe_webhook(self, *, raw_payload: Union[str, bytes], stripe_signature: Optional[str] = None) -> Answer:
        headers = {} if stripe_signature is None else {"stripe-signature": stripe_signature}
        return self._client._call("POST", "/webhooks/stripe", data=raw_payload, headers=headers)


class Analytics(_Calls):
    def get_user_request_count(self, *, user_id: str) -> Answer:
        return self._get(f"/user/{user_id}/requests/count")

    def get_user_request_count_timeframe(self, *, user_id: str, start_time: int, end_time: int) -> Answer:
        return self._get(f"/user/{user_id}/requests/count/timeframe", start_time=start_time, end_time=end_time)

    def get_user_recent_requests(self, *, user_id: str, limit: int = 10) -> Answer:
        return self._get(f"/user/{user_id}/requests/recent", limit=limit)

    def get_system_stats(self) -> Answer:
        return self._get("/stats")

    def get_popular_markets(self, *, limit: int = 20, days: int = 30) -> Answer:
        return self._get("/stats/popular-markets", limit=limit, days=days)


class EntityMLClient:
    """A client for one server and key.

    `api_key` defaults to `ENTITY_API_KEY` or else `BACKBOOK_KEY`; `base_url` defaults to `BACKBOOK_URL`."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        timeout_seconds: float = 30,
        session: Optional[requests.Session] = None,
    ) -> None:
        self.api_key = api_key or os.environ.get("ENTITY_API_KEY") or os.environ.get("BACKBOOK_KEY")
        url = (base_url or os.environ.get("BACKBOOK_URL") or "http://127.0.0.1:8080").rstrip("/")
        self.base_url = url if url.endswith(_PREFIX) else url + _PREFIX
        self.timeout_seconds = timeout_seconds
        self.session = session or requests.Session()
        self.system = System(self)
        self.api_keys = ApiKeys(self)
        self.lookup = Lookup(self)
        self.polymarket = Polymarket(self)
        self.kalshi = Kalshi(self)
        self.billing = Billing(self)
        self.analytics = Analytics(self)

    def _call(
        self,
        method: str,
        path: str,
        query: Optional[Dict[str, Any]] = None,
        headers: Optional[Dict[str, str]] = None,
        **body: Any,
    ) -> Answer:
        key = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        try:
            response = self.session.request(
                method,
                self.base_url + path,
                params={name: value for name, value in (query or {}).items() if value is not None},
                headers={"Accept": "application/json", **key, **(headers or {})},
                timeout=self.timeout_seconds,
                # A redirect could send the key to another server.
                allow_redirects=False,
                **body,
            )
        except requests.RequestException as error:
            raise EntityMLAPIError(f"{path}: no answer: {error}", detail=str(error)) from error
        try:
            answer = response.json()
        except ValueError:
            answer = {"message": response.text}
        if 200 <= response.status_code < 300:
            return answer if isinstance(answer, dict) else {"data": answer}
        raise _refusal(path, response.status_code, answer)


def _refusal(path: str, status: int, answer: Any) -> EntityMLAPIError:
    said = answer if isinstance(answer, dict) else {}
    detail = str(said.get("detail") or said.get("message") or "the server says no reason")
    kind = EntityMLAuthError if status in (401, 403) else EntityMLAPIError
    return kind(f"{path}: {status}: {detail}", status_code=status, detail=detail, response_body=answer)


# Older names of these classes, which `entityml` still exports.
PolyStorageClient = EntityMLClient
PolyStorageError = EntityMLError
PolyStorageAPIError = EntityMLAPIError
PolyStorageAuthError = EntityMLAuthError
