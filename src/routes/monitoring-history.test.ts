// Tests /monitoring/history: the last 90 days of each venue, and the requests that failed.

import { expect, test } from 'bun:test'
import type { StoredSums } from '../../storage/finding/finding.ts'
import type { Venue } from '../../storage/venue.ts'
import { ask, fakeCatalogue, testApp } from '../../test/support/server.ts'

const NOON = Date.parse('2026-08-12T12:00:00Z')

type Day = { date: string; condition: string; gaps: number; gap_ms: number; incidents: string[] }
type History = {
  from: string
  to: string
  requests: number
  failed_requests: number
  venues: { venue: string; first_date: string | null; last_date: string | null; days: Day[] }[]
}

const sums = (date: string, gaps = 0, gapMs = 0) => ({ date, gaps, gapMs, markets: 1 }) as StoredSums

function appOf(stored: Partial<Record<Venue, StoredSums[]>>) {
  const catalogue = fakeCatalogue({
    calendar: (venue, range) =>
      (stored[venue] ?? []).filter(({ date }) => range === undefined || (range.from <= date && date <= range.to)),
    calendarEnds: (venue) => {
      const all = stored[venue]
      return all === undefined ? undefined : { from: all[0]!.date, to: all.at(-1)!.date }
    },
  })
  return testApp({ catalogue, nowMs: () => NOON })
}

const historyOf = async (app: ReturnType<typeof appOf>) => (await ask(app, '/monitoring/history')).body as History

test('needs no key, and shows each date since the first', async () => {
  const history = await historyOf(appOf({ kalshi: [sums('2026-08-09', 2, 700), sums('2026-08-11')] }))
  expect(history).toMatchObject({ from: '2026-05-15', to: '2026-08-12' })
  const kalshi = history.venues.find(({ venue }) => venue === 'kalshi')!
  expect(kalshi).toMatchObject({ first_date: '2026-08-09', last_date: '2026-08-11' })
  expect(kalshi.days).toEqual([
    { date: '2026-08-09', condition: 'degraded', gaps: 2, gap_ms: 700, incidents: [] },
    { date: '2026-08-10', condition: 'missing', gaps: 0, gap_ms: 0, incidents: [] },
    { date: '2026-08-11', condition: 'available', gaps: 0, gap_ms: 0, incidents: [] },
    { date: '2026-08-12', condition: 'missing', gaps: 0, gap_ms: 0, incidents: [] },
  ])
  const polymarket = history.venues.find(({ venue }) => venue === 'polymarket')
  expect(polymarket).toEqual({ venue: 'polymarket', first_date: null, last_date: null, days: [] })
})

test('of a venue that is older begins 90 days ago', async () => {
  const { venues } = await historyOf(appOf({ polymarket: [sums('2026-04-02'), sums('2026-08-12')] }))
  const { days, first_date } = venues.find(({ venue }) => venue === 'polymarket')!
  expect(first_date).toBe('2026-04-02')
  expect([days.length, days[0]!.date, days.at(-1)!.date]).toEqual([90, '2026-05-15', '2026-08-12'])
})

test('counts the requests, and those that failed', async () => {
  let isGone = true
  const catalogue = fakeCatalogue({
    calendar: () => {
      if (isGone) throw new Error('gone')
      return []
    },
  })
  const app = testApp({ catalogue, nowMs: () => NOON })
  expect((await ask(app, '/monitoring/history')).status).toBe(500)
  expect((await ask(app, '/nowhere')).status).toBe(404)
  isGone = false
  expect(await historyOf(app)).toMatchObject({ requests: 2, failed_requests: 1 })
})
