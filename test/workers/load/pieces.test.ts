// A day that is loaded in many small pieces has the same heads, records and buckets as one load.

import { expect, test } from 'bun:test'
import { dateStartMs } from '../../../storage/units.ts'
import { VENUES } from '../../../storage/venue.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { seeds } from '../../run/effort.ts'
import { dateRequest, type TestStore, withStore } from '../../support/store.ts'
import { RandomCapture } from './random-capture.ts'

type Event = Record<string, unknown> & { msg?: object }
type Line = { recv_ms: number; event: Event }

/** Returns lines that are received when they were sent, never twice, and never before the previous line. A piece then
 *  needs no lines of the next piece. */
function steadyLines(seed: number, count: number): string[] {
  let ms = 0
  return new RandomCapture(seed, true).lines(count).map((line, index) => {
    const parsed = JSON.parse(line) as Line | Event
    const { recv_ms: received, event } = isLine(parsed) ? parsed : { recv_ms: ms, event: parsed }
    ms = Math.max(ms, received, dateStartMs('2026-08-10'))
    const own = event['type'] === 'gap' ? { from: ms, to: ms } : { ts_ms: ms, ts: undefined }
    if (event.msg === undefined) Object.assign(event, { timestamp: String(ms), number: index })
    else Object.assign(event, { seq: index, msg: { ...event.msg, ...own, number: index } })
    return JSON.stringify({ recv_ms: ms, event })
  })
}

const isLine = (value: Line | Event): value is Line => typeof value['recv_ms'] === 'number'

async function contents(tested: TestStore): Promise<unknown[]> {
  const all: unknown[] = []
  const { catalogue } = tested.store
  for (const venue of VENUES) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 100 })
    for (const market of markets) {
      for (const { date, head } of await catalogue.heads(venue, market)) {
        const { books, gaps, inferredGaps, recordCount, tradeCount } = head
        all.push({ market, date, books, gaps, inferredGaps, recordCount, tradeCount })
        all.push(await tested.records(venue, market, date))
        for (const { id } of books) all.push(await tested.summary(dateRequest(venue, market, id, date, 60)))
      }
    }
  }
  return all
}

test.each(seeds(1, 2, 12))('many small pieces are one load, seed %d', async (seed) => {
  const lines = steadyLines(seed, 300)
  const random = new Random(seed, 'pieces')
  await withStore((whole) =>
    withStore(async (pieces) => {
      await whole.loadLines('whole', lines)
      for (let from = 0; from < lines.length; ) {
        const to = from + random.between(1, 20)
        expect(await pieces.loadLines(`piece-${from}`, lines.slice(from, to))).toMatchObject({ error: null })
        from = to
      }
      expect(await contents(pieces)).toEqual(await contents(whole))
    }),
  )
})
