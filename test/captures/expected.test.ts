// Answers every recorded request with exactly the recorded buckets.

import { describe, expect, test } from 'bun:test'
import { readWindow } from '../../src/http/parameters/time-window.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Fill, SummaryRequest } from '../../workers/requests.ts'
import { capture, expectedAnswers, hasCaptures } from '../support/captures.ts'
import { CAPTURE_STORE_KINDS, withStoreOf } from '../support/store.ts'

const answers = await expectedAnswers()

describe.skipIf(!hasCaptures)('expected answers', () => {
  test('there are some', () => expect(answers.length).toBeGreaterThan(10))

  for (const [files, about] of Map.groupBy(answers, ({ load }) => load.join(' and '))) {
    test.each(CAPTURE_STORE_KINDS)(`about ${files}, in a store on %s`, async (kind) => {
      await withStoreOf(kind, async (store) => {
        for (const report of await store.load(...about[0]!.load.map(capture))) {
          expect(report).toMatchObject({ rejected: 0, error: null })
        }
        for (const { name, request, data } of about) {
          // The recorded buckets have no trust.
          const answered = (await store.summary(parseRequest(request))) as Record<string, unknown>[]
          const buckets = answered.map(({ trust: _, ...bucket }) => bucket)
          expect({ name, data: buckets }).toEqual({ name, data: data as typeof buckets })
        }
      })
    })
  }
})

/** Parses `/api/v1/{venue}/market/orderbook-summary?…` as the HTTP layer does. */
function parseRequest(request: string): SummaryRequest {
  const { pathname, searchParams } = new URL(request, 'http://localhost')
  const query = Object.fromEntries(searchParams) as Record<string, string>
  const venue = pathname.split('/').find((part): part is Venue => part === 'kalshi' || part === 'polymarket')!
  const { fromMs, toMs, unit } = readWindow(query)
  return {
    venue,
    market: venue === 'kalshi' ? query['ticker']! : query['condition_id']!.toLowerCase(),
    book: venue === 'kalshi' ? query['ticker']! : query['asset_id']!,
    fromMs,
    toMs,
    resolutionSeconds: Number(query['resolution']),
    fill: (query['fill'] ?? 'observed') as Fill,
    nowMs: Date.now(),
    timestampUnit: unit,
  }
}
