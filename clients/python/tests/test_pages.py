"""Long answers, page by page: no row is lost or repeated, also after an interruption."""

import unittest

import backbook
from tests.support import ASSET, CONDITION, DATE, TICKER, client


class Pages(unittest.TestCase):
    def test_records_of_all_pages_equal_those_of_one_page(self):
        whole = client()._get("kalshi/market/data", ticker=TICKER, date=DATE, limit=100_000)["data"]
        paged = list(client().raw("kalshi", TICKER, date=DATE, page_size=700))
        self.assertGreater(len(whole), 1400)
        self.assertEqual(paged, whole)

    def test_a_stopped_reader_continues_after_its_last_page(self):
        for ask in (client().raw, client().trades):
            question = dict(venue="polymarket", market=CONDITION, asset_id=ASSET, date=DATE, page_size=20)
            whole = list(ask(**question))
            first, cursors = [], []
            for page in ask(**question).pages():
                first.extend(page)
                cursors.append(page.next_cursor)
                if len(cursors) == 2:
                    break
            self.assertGreater(len(whole), len(first))
            self.assertEqual(first + list(ask(**question, cursor=cursors[1])), whole)

    def test_a_page_is_a_table(self):
        page = next(client().raw("kalshi", TICKER, date=DATE, page_size=10).pages())
        self.assertEqual((len(page), page.info["market_ticker"]), (10, TICKER))
        self.assertEqual(page.columns()["type"][0], "snapshot")

    def test_a_cursor_of_another_question_is_refused(self):
        page = next(client().raw("kalshi", TICKER, date=DATE, page_size=10).pages())
        with self.assertRaises(backbook.InvalidRequest) as refused:
            list(client().raw("kalshi", TICKER, start=f"{DATE}T12:00:00Z", end=f"{DATE}T13:00:00Z", cursor=page.next_cursor))
        self.assertEqual(refused.exception.code, "cursor_invalid")

    def test_changes_of_a_date_continue_too(self):
        from backbook import _client

        before, _client._RECORDS_IN_PAGE = _client._RECORDS_IN_PAGE, 500
        try:
            pages = list(client().changes("kalshi", TICKER, date=DATE).pages())
            rest = list(client().changes("kalshi", TICKER, date=DATE, cursor=pages[0].next_cursor))
        finally:
            _client._RECORDS_IN_PAGE = before
        whole = list(client().changes("kalshi", TICKER, date=DATE))
        self.assertGreater(len(pages), 2)
        self.assertEqual([row for page in pages for row in page], whole)
        self.assertEqual(list(pages[0]) + rest, whole)

    def test_changes_refuse_an_invalid_cursor(self):
        noon = {"start": f"{DATE}T12:00:00Z", "end": f"{DATE}T12:00:05Z"}
        for question in ({"date": DATE, "cursor": "abc"}, {"date": DATE, "cursor": ""}, {**noon, "cursor": "500"}):
            with self.assertRaisesRegex(ValueError, "a cursor is that of a page of the same date"):
                client().changes("kalshi", TICKER, **question)


if __name__ == "__main__":
    unittest.main()
