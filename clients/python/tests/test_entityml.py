"""Each call of EntityML's client returns the same as a plain request to the server."""

import inspect
import os
import time
import unittest
from unittest import mock

import requests
from backbook import entityml
from backbook.entityml import EntityMLAPIError, EntityMLAuthError, EntityMLClient
from tests.support import ASSET, CONDITION, DATE, DEMO, KEY, TICKER, URL, refuse, serving

DAY_MS = 1784505600000
WINDOW = {"start_timestamp": DAY_MS, "end_timestamp": DAY_MS + 3_599_999}
#: Methods of EntityML's own client, and their arguments.
VENUE = {
    "list_markets": ["prefix", "offset", "limit"],
    "get_market_date_range": ["ID"],
    "get_market_data": ["ID", "date", "offset", "limit"],
    "get_market_data_range": ["ID", "start_timestamp", "end_timestamp", "cursor", "limit"],
    "get_orderbook_summary": ["ID", "date", "start_timestamp", "end_timestamp", "resolution"],
}
METHODS = {
    "system": {"health": [], "monitoring_status": ["token"]},
    "api_keys": {
        "create": ["name", "user_id"],
        "list": ["user_id"],
        "delete": ["key_id", "user_id"],
        "get_last_used": ["key_id"],
        "get_name": ["key_id"],
    },
    "lookup": {"polymarket_slug": ["slug"]},
    "polymarket": VENUE,
    "kalshi": VENUE,
    "billing": {
        "create_checkout_session": ["user_id", "email", "success_url", "cancel_url", "tier"],
        "create_portal_session": ["user_id", "return_url"],
        "get_subscription_status": ["user_id"],
        "get_usage": ["user_id"],
        "stripe_webhook": ["raw_payload", "stripe_signature"],
    },
    "analytics": {
        "get_user_request_count": ["user_id"],
        "get_user_request_count_timeframe": ["user_id", "start_time", "end_time"],
        "get_user_recent_requests": ["user_id", "limit"],
        "get_system_stats": [],
        "get_popular_markets": ["limit", "days"],
    },
}
IDS = {"polymarket": ["condition_id"], "kalshi": ["ticker"]}


def client(**options):
    return EntityMLClient(**{"api_key": KEY, "base_url": URL, **options})


def said(path, **query):
    headers = {"Authorization": f"Bearer {KEY}"}
    return requests.get(f"{URL}/api/v1{path}", params=query, headers=headers, timeout=30).json()


class EntityML(unittest.TestCase):
    maxDiff = 2000

    def test_methods_and_their_arguments(self):
        for service, methods in METHODS.items():
            of = getattr(client(), service)
            self.assertEqual({name for name in dir(of) if not name.startswith("_")}, set(methods))
            for name, arguments in methods.items():
                ids = list(IDS.get(service, []))
                if service == "polymarket" and name == "get_orderbook_summary":
                    ids.append("asset_id")
                expected = [each for of in arguments for each in (ids if of == "ID" else [of])]
                parameters = inspect.signature(getattr(of, name)).parameters
                self.assertEqual((service, name, list(parameters)), (service, name, expected))
                self.assertEqual({each.kind for each in parameters.values()} - {inspect.Parameter.KEYWORD_ONLY}, set())

    def test_defaults_are_those_of_the_original_client(self):
        asked = client()
        defaults = {
            asked.kalshi.list_markets: {"prefix": None, "offset": 0, "limit": 100},
            asked.kalshi.get_market_data: {"offset": 0, "limit": 10_000},
            asked.polymarket.get_market_data_range: {"cursor": None, "limit": 10_000},
            asked.polymarket.get_orderbook_summary: {
                **{"date": None, "start_timestamp": None, "end_timestamp": None},
                "resolution": 60,
            },
            asked.billing.create_checkout_session: {"tier": "starter"},
            asked.analytics.get_user_recent_requests: {"limit": 10},
            asked.analytics.get_popular_markets: {"limit": 20, "days": 30},
        }
        for method, expected in defaults.items():
            parameters = inspect.signature(method).parameters.values()
            given = {each.name: each.default for each in parameters if each.default is not each.empty}
            self.assertEqual((method.__name__, given), (method.__name__, expected))

    def test_the_older_names_are_the_same_classes(self):
        for name in ("Client", "Error", "APIError", "AuthError"):
            self.assertIs(getattr(entityml, f"PolyStorage{name}"), getattr(entityml, f"EntityML{name}"))

    def test_markets_and_records(self):
        asked = client()
        for venue, ids in (("kalshi", {"ticker": TICKER}), ("polymarket", {"condition_id": CONDITION})):
            of = getattr(asked, venue)
            path = f"/{venue}/market"
            self.assertEqual(of.list_markets(limit=2), said(f"{path}/list", limit=2))
            prefix = next(iter(ids.values()))[:6]
            self.assertEqual(of.list_markets(prefix=prefix), said(f"{path}/list", prefix=prefix))
            self.assertEqual(of.get_market_date_range(**ids), said(f"{path}/date-range", **ids))
            day = of.get_market_data(**ids, date=DATE, offset=3, limit=5)
            self.assertEqual(day, said(f"{path}/data", **ids, date=DATE, offset=3, limit=5))
            self.assertEqual(len(day["data"]), 5)
            page = of.get_market_data_range(**ids, **WINDOW, limit=10)
            self.assertEqual(page["data"], said(f"{path}/data/range", **ids, **WINDOW, limit=10)["data"])
            following = of.get_market_data_range(**ids, **WINDOW, limit=10, cursor=page["next_cursor"])
            both = said(f"{path}/data/range", **ids, **WINDOW, limit=20)["data"]
            self.assertEqual(page["data"] + following["data"], both)

    def test_summaries_of_a_date_and_of_a_window(self):
        book = {"condition_id": CONDITION, "asset_id": ASSET}
        for venue, ids in (("kalshi", {"ticker": TICKER}), ("polymarket", book)):
            ask = getattr(client(), venue).get_orderbook_summary
            path = f"/{venue}/market/orderbook-summary"
            day = ask(**ids, date=DATE, resolution=3600)
            self.assertEqual(day, said(path, **ids, date=DATE, resolution=3600))
            self.assertEqual(len(day["data"]), 24)
            self.assertEqual(ask(**ids, **WINDOW), said(path, **ids, **WINDOW, resolution=60))

    def test_slugs_health_and_status(self):
        asked = client()
        self.assertEqual(asked.lookup.polymarket_slug(slug=DEMO["slug"]), said("/lookup/slug", slug=DEMO["slug"]))
        self.assertEqual(asked.system.health()["status"], "ok")
        self.assertIn("components", asked.system.monitoring_status(token="any"))

    def test_keys_usage_and_counts(self):
        asked = client()
        user = "someone"
        made = asked.api_keys.create(name="a name", user_id=user)["data"]
        own = client(api_key=made["api_key"])
        own.kalshi.get_market_date_range(ticker=TICKER)
        listed = asked.api_keys.list(user_id=user)["api_keys"]
        self.assertEqual([key["id"] for key in listed], [made["key_id"]])
        self.assertEqual(asked.api_keys.get_name(key_id=made["key_id"])["name"], "a name")
        self.assertEqual(asked.api_keys.get_last_used(key_id=made["key_id"])["key_id"], made["key_id"])
        self.assertEqual(asked.billing.get_usage(user_id=user)["user_id"], user)
        self.assertEqual(asked.analytics.get_user_request_count(user_id=user)["user_id"], user)
        now = {"start_time": DAY_MS, "end_time": DAY_MS + 86_400_000}
        self.assertIn("counts", asked.analytics.get_user_request_count_timeframe(user_id=user, **now))
        self.assertIn("requests", asked.analytics.get_user_recent_requests(user_id=user, limit=3))
        self.assertIsInstance(asked.analytics.get_system_stats(), dict)
        self.assertIn("markets", asked.analytics.get_popular_markets(limit=3, days=7))
        self.assertTrue(asked.api_keys.delete(key_id=made["key_id"], user_id=user)["success"])
        self.assertEqual(self.refused_within(5, own).status_code, 401)

    def refused_within(self, seconds, revoked):
        # The server refuses a revoked key after at most a second.
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                revoked.kalshi.get_market_date_range(ticker=TICKER)
            except EntityMLAuthError as error:
                return error
            time.sleep(0.1)
        self.fail("a key that was revoked is accepted")

    def test_billing_on_a_server_without_it(self):
        billing = client().billing
        pages = {"success_url": "https://shop.example/yes", "cancel_url": "https://shop.example/no"}
        for call in (
            lambda: billing.create_checkout_session(user_id="someone", email="a@example.com", **pages),
            lambda: billing.get_subscription_status(user_id="someone"),
            lambda: billing.create_portal_session(user_id="someone", return_url="https://shop.example"),
            lambda: billing.stripe_webhook(raw_payload=b"{}", stripe_signature="t=1,v1=00"),
        ):
            with self.assertRaises(EntityMLAPIError) as raised:
                call()
            self.assertEqual(raised.exception.response_body["code"], "billing_not_configured")

    def test_the_environment_names_the_server_and_the_key(self):
        self.assertEqual(EntityMLClient().kalshi.list_markets(limit=1), said("/kalshi/market/list", limit=1))
        with mock.patch.dict(os.environ, {"ENTITY_API_KEY": "bb_other", "BACKBOOK_URL": f"{URL}/"}):
            self.assertEqual((EntityMLClient().api_key, EntityMLClient().base_url), ("bb_other", f"{URL}/api/v1"))

    def test_refusals(self):
        with self.assertRaises(EntityMLAPIError) as raised:
            client().kalshi.get_market_data(ticker="KXNONE", date=DATE)
        self.assertEqual(raised.exception.status_code, 404)
        self.assertEqual(raised.exception.response_body["code"], "market_not_stored")
        self.assertIn(raised.exception.detail, str(raised.exception))
        with self.assertRaises(EntityMLAuthError):
            client(api_key="bb_none").polymarket.list_markets()
        with serving(lambda handler, _: refuse(handler, 503, "overloaded", 1)) as (url, asked):
            with self.assertRaises(EntityMLAPIError) as raised:
                client(base_url=f"{url}/api/v1/").system.health()
            self.assertEqual((raised.exception.status_code, [path for path, _ in asked]), (503, ["/api/v1/health"]))
        with self.assertRaises(EntityMLAPIError) as raised:
            client(base_url=url).system.health()
        self.assertIsNone(raised.exception.status_code)


if __name__ == "__main__":
    unittest.main()
