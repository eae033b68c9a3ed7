// Tests market/coverage: dates, books, gaps, incidents.

import { expect, test } from 'bun:test'
import type { BookEntry, InferredGap } from '../../storage/format/partition-head.ts'
import { ask, CONDITION, fakeCatalogue, head, TICKER, testApp } from '../../test/support/server.ts'

const book = (id: string, changes: Partial<BookEntry> = {}): BookEntry => ({
  id,
  recordCount: 5,
  tradeCount: 0,
  tradeVolume: '0',
  opening: null,
  last: null,
  quoteCount: 3,
  firstQuoteMs: 11,
  lastQuoteMs: 19,
  startsFrom: 'snapshot',
  snapshotCount: 1,
  quality: {
    snapshotsConfirmed: 2,
    snapshotsContradicted: 1,
    longestSilenceMs: 7,
    hashesAgreed: 5,
    hashesChecked: 6,
    bestPricesAgreed: 3,
    bestPricesChecked: 4,
  },
  ...changes,
})

test('each date of a Polymarket market, with its books, gaps and incidents', async () => {
  const gaps = [{ book: null, reason: 'reconnect', fromMs: 12, toMs: 14, atMs: 13 }]
  const carried = book('7', {
    recordCount: 0,
    quoteCount: 0,
    firstQuoteMs: null,
    lastQuoteMs: null,
    startsFrom: 'opening_book',
  })
  const inferredGaps: InferredGap[] = [
    { book: 1, reason: 'snapshot_contradicts', fromMs: 15, toMs: 16, levelsDiffering: 3 },
    { book: 1, reason: 'sequence_restart', fromMs: 12, toMs: null, levelsDiffering: null },
  ]
  const first = head({
    recordCount: 6,
    firstMs: 10,
    lastMs: 20,
    books: [book('8', { levelsSkipped: 2 }), carried],
    gaps,
    inferredGaps,
  })
  const catalogue = fakeCatalogue({
    heads: () => [
      { date: '2026-04-30', head: first },
      { date: '2026-05-01', head: head({ books: [book('9', { startsFrom: 'neither' })] }) },
    ],
    audits: (venue, market) => [
      { venue, market, date: '2026-05-01', audits: [1, 2].map((atUs) => ({ atUs, book: '9', result: 'exact' })) },
    ],
  })
  const { body } = await ask(testApp({ catalogue }), `/polymarket/market/coverage?condition_id=${CONDITION}`)
  expect(body).toMatchObject({
    market_condition_id: CONDITION,
    has_data: true,
    asset_ids: ['7', '8', '9'],
    dates: [
      {
        date: '2026-04-30',
        record_count: 6,
        quote_count: 3,
        first_timestamp: 10,
        last_timestamp: 20,
        starts_from: 'opening_book',
        books: [
          {
            asset_id: '8',
            record_count: 5,
            quote_count: 3,
            first_quote_timestamp: 11,
            last_quote_timestamp: 19,
            starts_from: 'snapshot',
            snapshot_count: 1,
            levels_skipped: 2,
            snapshots_confirmed: 2,
            snapshots_contradicted: 1,
            longest_silence_ms: 7,
            hashes_agreed: 5,
            hashes_checked: 6,
            best_prices_agreed: 3,
            best_prices_checked: 4,
          },
          {
            asset_id: '7',
            record_count: 0,
            levels_skipped: 0,
            first_quote_timestamp: null,
            starts_from: 'opening_book',
          },
        ],
        gaps: [{ asset_id: null, reason: 'reconnect', from: 12, to: 14, timestamp: 13 }],
        inferred_gaps: [
          { book: '8', reason: 'sequence_restart', from: 12, to: null, levels_differing: null },
          { book: '8', reason: 'snapshot_contradicts', from: 15, to: 16, levels_differing: 3 },
        ],
        audits: { exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 },
        incidents: [{ name: 'capture_gap_windows', from: '2026-04-01', to: '2026-04-30', note: expect.any(String) }],
      },
      { date: '2026-05-01', starts_from: 'neither', audits: { exact: 2, inconsistent: 0 }, incidents: [] },
    ],
  })
})

test('a Kalshi market has no asset_ids', async () => {
  const catalogue = fakeCatalogue({ heads: () => [{ date: '2026-05-04', head: head({ books: [book(TICKER)] }) }] })
  const { body } = await ask(testApp({ catalogue }), `/api/v1/kalshi/market/coverage?ticker=${TICKER}`)
  expect(body).not.toHaveProperty('asset_ids')
  expect(body).not.toHaveProperty('dates.0.books.0.best_prices_checked')
  expect(body).toMatchObject({
    dates: [{ starts_from: 'snapshot', books: [{ ticker: TICKER }], incidents: [{ name: 'storage_ingestion_gap' }] }],
  })
})

test('a book from before days without data is doubtful until its next snapshot', async () => {
  const opened = book(TICKER, { startsFrom: 'opening_book', trust: [[0, 'doubtful']] })
  const confirmed = book(TICKER, {
    startsFrom: 'opening_book',
    trust: [
      [0, 'doubtful'],
      [5, 'established'],
    ],
  })
  const days = [book(TICKER), opened, confirmed, opened].map((each) => head({ books: [each] }))
  const dates = ['2026-05-04', '2026-05-06', '2026-05-08', '2026-05-09']
  const catalogue = fakeCatalogue({ heads: () => dates.map((date, i) => ({ date, head: days[i]! })) })
  const { body } = await ask(testApp({ catalogue }), `/api/v1/kalshi/market/coverage?ticker=${TICKER}`)
  const gap = (date: string, to: number | null) => {
    return { book: TICKER, reason: 'days_without_data', from: Date.parse(date), to, levels_differing: null }
  }
  expect((body as { dates: { inferred_gaps: object[] }[] }).dates.map((each) => each.inferred_gaps)).toEqual([
    [],
    [gap('2026-05-06', null)],
    [gap('2026-05-08', 5)],
    [],
  ])
})

test('a day of another source in between does not end days without data', async () => {
  const opened = book(TICKER, { startsFrom: 'opening_book', trust: [[0, 'doubtful']] })
  const days = [
    head({ books: [book(TICKER)] }),
    head({ books: [book(TICKER)], source: 'alpha' }),
    head({ books: [opened] }),
  ]
  const catalogue = fakeCatalogue({ heads: () => days.map((each, i) => ({ date: `2026-05-0${i + 4}`, head: each })) })
  const { body } = await ask(testApp({ catalogue }), `/api/v1/kalshi/market/coverage?ticker=${TICKER}`)
  const from = Date.parse('2026-05-06')
  expect((body as { dates: { inferred_gaps: object[] }[] }).dates.map((each) => each.inferred_gaps)).toEqual([
    [],
    [],
    [{ book: TICKER, reason: 'days_without_data', from, to: null, levels_differing: null }],
  ])
})

test('a market without stored data is not an error', async () => {
  const { status, body } = await ask(testApp(), '/polymarket/market/coverage?condition_id='.concat(CONDITION))
  expect([status, body]).toEqual([200, { market_condition_id: CONDITION, has_data: false, asset_ids: [], dates: [] }])
})
