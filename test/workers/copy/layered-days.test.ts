// A copy of days with several sources has the records of each source and shows the same data, even if the neighboring
// days are not copied.

import { expect, test } from 'bun:test'
import { kalshiDelta, TICKER } from '../../model/lines.ts'
import { contents, DATES, expectSound, lines, load, on, withTwo } from '../../support/copy/two-stores.ts'
import type { AnyStore } from '../../support/store.ts'

const DAY_MS = 86_400_000
const KINDS = ['lmdb', 'cluster'] as const

/** Loads own records of all four days, and records of an archive for the middle days. */
async function ofTwo(store: AnyStore): Promise<void> {
  await load(store, ...DATES.map((_, day) => lines(day)))
  const archived = [1, 2].flatMap((day) =>
    [-60_000, 500, 60_000].map((ms) => JSON.stringify(kalshiDelta(day * DAY_MS + ms, '0.4200', '1.00'))),
  )
  await store.loadLines('archive.ndjson', archived, 'pmxt-v2')
}

const printed = async (store: AnyStore, dates: string[]) => {
  store.store.refresh()
  const each = [null, 'pmxt-v2'].flatMap((source) =>
    dates.map((date) => store.ofSource(source).records('kalshi', TICKER, date)),
  )
  return Promise.all(each)
}

test('all days, once', () =>
  withTwo(KINDS, async ({ from, to, copy }) => {
    await ofTwo(from)
    expect(await copy()).toMatchObject({ days: 4, copied: 4, leftOut: [] })
    expect(await contents(to)).toEqual(await contents(from))
    expect(await printed(to, DATES.slice(1, 3))).toEqual(await printed(from, DATES.slice(1, 3)))
    await expectSound(to)
    expect(await copy()).toMatchObject({ copied: 0, same: 4, leftOut: [] })
  }))

test.each(DATES.slice(1, 3))('%s, copied without the days next to it, shows what it shows alone', (date) =>
  withTwo(KINDS, async ({ from, to, copy }) => {
    await ofTwo(from)
    expect(await copy(on(date))).toMatchObject({ copied: 1, leftOut: [] })
    expect(await printed(to, [date])).toEqual(await printed(from, [date]))
    await expectSound(to)
    expect(await copy(on(date))).toMatchObject({ copied: 0, same: 1, leftOut: [] })
    // Also copies the day before: the copied day now continues that day's closing books.
    expect(await copy(on(DATES[DATES.indexOf(date) - 1]!))).toMatchObject({ copied: 1, leftOut: [] })
    await expectSound(to)
    expect(await copy()).toMatchObject({ leftOut: [] })
    await expectSound(to)
    expect(await contents(to)).toEqual(await contents(from))
  }),
)

test('records of another source are added to a copy', () =>
  withTwo(KINDS, async ({ from, to, copy }) => {
    await load(from, ...DATES.map((_, day) => lines(day)))
    await copy()
    await from.loadLines('archive.ndjson', [JSON.stringify(kalshiDelta(DAY_MS + 500, '0.4200', '1.00'))], 'pmxt-v2')
    expect(await copy()).toMatchObject({ copied: 1, same: 3, leftOut: [] })
    expect(await contents(to)).toEqual(await contents(from))
    await expectSound(to)
    // Does not replace an archive that only the target has.
    await to.loadLines('other.ndjson', [JSON.stringify(kalshiDelta(DAY_MS + 700, '0.4300', '1.00'))], 'ag6')
    expect((await copy()).leftOut).toMatchObject([{ date: DATES[1], why: 'other_records' }])
    await expectSound(to)
  }))
