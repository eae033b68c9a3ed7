// A book from before days without data is doubtful on the next stored day until that day's first snapshot. Window and
// instant answers agree with the model.

import { expect, test } from 'bun:test'
import { capture, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, received, TICKER } from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { DAY_MS } from '../../model/questions/made-lines.ts'
import { modelAsk } from '../../model/questions/model-ask.ts'
import { storeAsk } from '../../support/compare/store-ask.ts'
import { withStore } from '../../support/store.ts'

const NOW = NOON + 30 * DAY_MS
const HALF_DAY_MS = DAY_MS / 2
const snapshot = (ms: number) => received(ms, kalshiSnapshot([['0.40', '10']], [['0.50', '20']]))

/** Returns the trust of the book at an instant, and of the last hour that starts before it. `ms` is after noon of the
 *  first day. */
async function trusts(captures: string[], ms: number) {
  const window = { start_timestamp: `${NOON}`, end_timestamp: `${NOON + 6 * DAY_MS}`, resolution: '3600' }
  let found: unknown[] = []
  await withStore(async (store) => {
    for (const [i, text] of captures.entries()) await store.loadLines(`${i}.ndjson`, text.split('\n'))
    const asks = [storeAsk(store, NOW), modelAsk(loadTexts(captures, NOW), NOW)]
    const [stored, expected] = await Promise.all(
      asks.map(async (ask) => {
        const path = '/kalshi/market/'
        const { trust } = await ask(`${path}book`, { ticker: TICKER, timestamp: `${NOON + ms}` })
        const { data } = await ask(`${path}orderbook-summary`, { ticker: TICKER, ...window })
        const rows = data as { timestamp: number; trust: string }[]
        return [trust, rows.filter((row) => row.timestamp < NOON + ms).at(-1)?.trust]
      }),
    )
    expect(stored).toEqual(expected!)
    found = stored!
  })
  return found
}

const first = capture(snapshot(0), kalshiDelta(1_000, '0.40', '1'))
/** Returns 08:00 of day `day`, ms after noon of the first day. */
const morning = (day: number) => day * DAY_MS - HALF_DAY_MS + DAY_MS / 3

test.each([
  ['the day after', 1, 'established'],
  ['days after', 4, 'doubtful'],
])('a snapshot at noon, %s', async (_, day, trust) => {
  expect(await trusts([first, capture(snapshot(day * DAY_MS))], morning(day))).toEqual([trust, trust])
})

test('a book that is lost stays lost, one that was only observed stays so', async () => {
  const later = capture(snapshot(4 * DAY_MS))
  expect(await trusts([capture(snapshot(0), kalshiGap(2_000)), later], morning(4))).toEqual(['lost', 'lost'])
  const observed = capture(kalshiDelta(0, '0.40', '1'))
  expect(await trusts([observed, later], morning(4))).toEqual(['observed', 'observed'])
})

test('a day before which the day before is stored has the trust of that day', async () => {
  const days = [first, capture(snapshot(3 * DAY_MS)), capture(snapshot(4 * DAY_MS))]
  expect(await trusts(days, morning(4))).toEqual(['established', 'established'])
})
