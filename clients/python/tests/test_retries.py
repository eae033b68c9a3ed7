"""Which failures are retried, and which are not."""

import pickle
import unittest

import backbook
from backbook import Client
from tests.support import counting, refuse, reply, serving


def steps(*each):
    """Answers with each of the given functions in turn, then always with the last."""
    return lambda handler, count: each[min(count, len(each) - 1)](handler)


ok = lambda handler: reply(handler, 200, {"status": "ok"})
refused = lambda *how: lambda handler: refuse(handler, *how)


class Retries(unittest.TestCase):
    def ask(self, *each, **options):
        with serving(steps(*each)) as (url, asked):
            client = Client(url, "k", **options)
            waits = counting(client)
            try:
                result = client.health()
            except backbook.BackbookError as error:
                result = error
        return result, waits, len(asked)

    def test_waits_as_long_as_the_server_says_after_rate_limits_and_503(self):
        result = self.ask(refused(503, "overloaded", 1), refused(429, "rate_limited", 7), ok)
        self.assertEqual(result, ({"status": "ok"}, [1.0, 7.0], 3))

    def test_a_quota_is_an_error_at_once(self):
        error, waits, asked = self.ask(refused(429, "quota_exceeded", 817845), ok)
        self.assertIsInstance(error, backbook.QuotaExceeded)
        self.assertEqual((waits, asked, error.retry_after_s), ([], 1, 817845.0))

    def test_a_wait_of_hours_is_an_error_at_once(self):
        for code in ("rate_limited", "daily_limit"):
            error, waits, asked = self.ask(refused(429, code, 86400), ok)
            self.assertIsInstance(error, backbook.RateLimited)
            self.assertEqual((waits, asked), ([], 1))

    def test_the_number_of_attempts_is_limited(self):
        error, waits, asked = self.ask(refused(503, "overloaded", 0), tries=3)
        self.assertIsInstance(error, backbook.ServerError)
        self.assertEqual((waits, asked, error.code, error.request_id), ([0.0, 0.0], 3, "overloaded", "r1"))

    def test_other_refusals_are_typed_and_not_retried(self):
        kinds = {
            (400, "parameters_invalid"): backbook.InvalidRequest,
            (400, "cursor_stale"): backbook.CursorStale,
            (401, "key_unknown"): backbook.Unauthorized,
            (403, "scope_missing"): backbook.Forbidden,
            (404, "market_not_stored"): backbook.NotStored,
            (404, "slug_not_found"): backbook.NotFound,
            (500, "internal"): backbook.ServerError,
        }
        for (status, code), kind in kinds.items():
            error, waits, asked = self.ask(refused(status, code), ok)
            self.assertIs(type(error), kind)
            self.assertEqual((waits, asked, str(error)), ([], 1, f"{code}: said so"))

    def test_a_refusal_can_be_pickled(self):
        error, _, _ = self.ask(refused(429, "quota_exceeded", 817845))
        other = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(other), str(other), vars(other)), (type(error), str(error), vars(error)))

    def test_an_incomplete_answer_is_requested_again(self):
        def cut(handler):
            handler.close_connection = True
            reply(handler, 200, b'{"status": "o', Content_Length=200)

        self.assertEqual(self.ask(cut, ok), ({"status": "ok"}, [1.0], 2))

    def test_a_connection_that_ends_before_its_answer_is_retried(self):
        def gone(handler):
            handler.close_connection = True

        self.assertEqual(self.ask(gone, ok), ({"status": "ok"}, [1.0], 2))
        error, _, asked = self.ask(gone, tries=2)
        self.assertIsInstance(error, backbook.ConnectionBroken)
        self.assertEqual(asked, 2)

    def test_an_error_without_a_problem_document_has_its_status(self):
        error, _, asked = self.ask(lambda handler: reply(handler, 502, b"<html>"))
        self.assertEqual((type(error), error.code, asked), (backbook.ServerError, "unknown", 1))

    def test_the_key_follows_no_redirect(self):
        def away(handler):
            reply(handler, 302, b"", Location="http://127.0.0.1:9/")

        error, _, asked = self.ask(away)
        self.assertEqual((type(error), error.status, asked), (backbook.InvalidRequest, 302, 1))


if __name__ == "__main__":
    unittest.main()
