// long: the same again in PostgreSQL
// Goal: what a cluster keeps in its database changes wholly or not at all, only on the revision that it was planned on,
// and names nothing that was swept; in PostgreSQL and in its double alike.

import { expect, test } from 'bun:test'
import { SegmentSwept } from '../../../../storage/cluster/database/cluster-database.ts'
import { type OpenRows, onEachDatabase } from './each-database.ts'
import {
  change,
  commit,
  day,
  daysOf,
  headOf,
  keysOf,
  move,
  placesOf,
  type Rows,
  rowOf,
  segmentOf,
  unnamedOf,
  VENUE,
} from './made-rows.ts'

const [MONDAY, TUESDAY] = ['2026-07-20', '2026-07-21'] as const
const HOUR_MS = 3_600_000

onEachDatabase((open) => {
  commits(open)
  removals(open)
  moves(open)
  sweeps(open)
  lists(open)
})

const dayOf = async (rows: Rows, market: string, date: string) => (await daysOf(rows, market, [date])).days[0]
const put = (rows: Rows, key: string, market: string, revision: number, date: string = MONDAY, ids = [1]) =>
  rows.commitRows(commit(key, change(market, revision, day(date, { head: headOf(5), put: ids }))))

function commits(open: OpenRows): void {
  test('of what was never stored nothing is told', async () => {
    await using opened = await open()
    const { rows } = opened
    expect(await rowOf(rows, 'A')).toBeUndefined()
    expect(await rows.revisions([{ venue: VENUE, market: 'A' }])).toEqual([0])
    expect(await daysOf(rows, 'A', [MONDAY])).toEqual({ revision: 0, days: [] })
    expect(await Array.fromAsync(rows.segments())).toEqual([])
  })

  test('a commit is there as a whole: days, counts, and where pieces lie', async () => {
    await using opened = await open()
    const { rows } = opened
    const days = [day(TUESDAY, { head: headOf(3), put: [1] }), day(MONDAY, { head: headOf(300), put: [1, 2] })]
    expect(await rows.commitRows(commit('a', change('A', 0, ...days), change('B', 0, days[0]!)))).toEqual([])
    expect(await rowOf(rows, 'A')).toEqual({ revision: 1, base: 0, recordCount: 303, dates: [MONDAY, TUESDAY] })
    expect(await rows.revisions(['B', 'C', 'A'].map((market) => ({ venue: VENUE, market })))).toEqual([1, 0, 1])
    const { revision, days: stored } = await daysOf(rows, 'A', [MONDAY, TUESDAY, '2026-07-22'])
    expect([revision, stored.map(({ date }) => date)]).toEqual([1, [MONDAY, TUESDAY]])
    expect([...stored[0]!.head]).toEqual([300 & 255, 1, 0, 255])
    expect(stored.map((each) => placesOf('A', each))).toEqual([
      [
        [1, 'a'],
        [2, 'a'],
      ],
      [[1, 'a']],
    ])
    expect(await Array.fromAsync(rows.segments())).toEqual([segmentOf('a')])
  })

  test('what was planned on another revision is refused, and the others take effect', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    const late = change('A', 0, day(TUESDAY, { head: headOf(7), put: [9] }))
    const early = change('C', 3, day(TUESDAY, { head: headOf(7), put: [9] }))
    const right = change('B', 0, day(TUESDAY, { head: headOf(7), put: [9] }))
    expect(await rows.commitRows(commit('b', late, right, early))).toEqual([0, 2])
    expect(await rowOf(rows, 'A')).toEqual({ revision: 1, base: 0, recordCount: 5, dates: [MONDAY] })
    expect(await rowOf(rows, 'B')).toMatchObject({ revision: 1, recordCount: 7 })
    expect(await rowOf(rows, 'C')).toBeUndefined()
    expect(await daysOf(rows, 'C', [TUESDAY])).toEqual({ revision: 0, days: [] })
  })

  test('of many commits on one revision one takes effect', async () => {
    await using opened = await open()
    const { rows } = opened
    for (const revision of [0, 1, 2]) {
      const all = Array.from({ length: 8 }, (_, index) => put(rows, `${revision}-${index}`, 'A', revision))
      const refused = await Promise.all(all)
      expect(refused.filter((indexes) => indexes.length === 0)).toHaveLength(1)
      expect(await rowOf(rows, 'A')).toMatchObject({ revision: revision + 1, dates: [MONDAY] })
    }
    // Those of the refused, and those whose piece was replaced.
    expect(await unnamedOf(rows, 0)).toHaveLength(3 * 8 - 1)
  })

  test('a commit replaces pieces, takes some out, and leaves the others where they lie', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0, MONDAY, [1, 2])
    await put(rows, 'b', 'A', 1, TUESDAY, [1])
    const changed = day(MONDAY, { before: headOf(5), head: headOf(9, 2), put: [3], removed: [1] })
    await rows.commitRows(commit('c', change('A', 2, changed)))
    expect(placesOf('A', (await dayOf(rows, 'A', MONDAY))!)).toEqual([
      [2, 'a'],
      [3, 'c'],
    ])
    const again = day(MONDAY, { before: headOf(9, 2), head: headOf(9, 3), put: [2], removed: [] })
    await rows.commitRows(commit('d', change('A', 3, again)))
    expect(placesOf('A', (await dayOf(rows, 'A', MONDAY))!)).toEqual([
      [3, 'c'],
      [2, 'd'],
    ])
    expect(placesOf('A', (await dayOf(rows, 'A', TUESDAY))!)).toEqual([[1, 'b']])
    expect(await unnamedOf(rows, 0)).toEqual(keysOf('a'))
  })

  test('a commit without pieces changes heads alone', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    const changed = day(MONDAY, { before: headOf(5), head: headOf(6, 2) })
    expect(await rows.commitRows(commit(null, change('A', 1, changed)))).toEqual([])
    const stored = (await dayOf(rows, 'A', MONDAY))!
    expect([[...stored.head], placesOf('A', stored)]).toEqual([[6, 2, 0, 255], [[1, 'a']]])
  })
}

function removals(open: OpenRows): void {
  test('a day that is removed leaves its ids used, and its segment to nobody', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    await put(rows, 'b', 'A', 1, TUESDAY)
    const gone = day(MONDAY, { before: headOf(5, 7), head: null })
    expect(await rows.commitRows(commit(null, change('A', 2, gone)))).toEqual([])
    expect(await rowOf(rows, 'A')).toEqual({ revision: 3, base: 8, recordCount: 5, dates: [TUESDAY] })
    expect(await dayOf(rows, 'A', MONDAY)).toBeUndefined()
    expect(await unnamedOf(rows, 0)).toEqual(keysOf('a'))
  })

  test('a market without days keeps its revision, and is none that is listed', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    const before = await rows.marketsStamp()
    await rows.commitRows(commit(null, change('A', 1, day(MONDAY, { before: headOf(5), head: null }))))
    expect(await rowOf(rows, 'A')).toEqual({ revision: 2, base: 2, recordCount: 0, dates: [] })
    expect(await rows.markets(VENUE, { prefix: '', offset: 0, limit: 9 })).toEqual({ markets: [], totalCount: 0 })
    expect(await rows.marketsStamp()).not.toBe(before)
    expect(await put(rows, 'b', 'A', 0)).toEqual([0])
    expect(await put(rows, 'c', 'A', 2)).toEqual([])
    expect(await rows.figures()).toMatchObject({ markets: 1, partitions: 1 })
  })
}

function moves(open: OpenRows): void {
  test('pieces move, and nothing else changes', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0, MONDAY, [1, 2])
    const before = (await dayOf(rows, 'A', MONDAY))!
    const stamp = await rows.marketsStamp()
    expect(await rows.move(segmentOf('m'), [move('A', before, [1, 2])])).toEqual([])
    const after = (await dayOf(rows, 'A', MONDAY))!
    expect(after.head).toEqual(before.head)
    expect(placesOf('A', after)).toEqual([
      [1, 'm'],
      [2, 'm'],
    ])
    expect(await rowOf(rows, 'A')).toEqual({ revision: 1, base: 0, recordCount: 5, dates: [MONDAY] })
    expect(await rows.marketsStamp()).toBe(stamp)
    expect(await unnamedOf(rows, 0)).toEqual(keysOf('a'))
  })

  test('a row that has changed since it was read is not moved', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0, MONDAY, [1])
    await put(rows, 'b', 'B', 0, MONDAY, [1])
    const [a, b] = [(await dayOf(rows, 'A', MONDAY))!, (await dayOf(rows, 'B', MONDAY))!]
    await rows.commitRows(commit('c', change('A', 1, day(MONDAY, { before: headOf(5), head: headOf(6, 2), put: [2] }))))
    const elsewhere = { ...a, date: TUESDAY }
    const moved = await rows.move(segmentOf('m'), [move('A', a, [1]), move('B', b, [1]), move('A', elsewhere, [1])])
    expect(moved).toEqual([0, 2])
    expect(placesOf('A', (await dayOf(rows, 'A', MONDAY))!)).toEqual([
      [1, 'a'],
      [2, 'c'],
    ])
    expect(placesOf('B', (await dayOf(rows, 'B', MONDAY))!)).toEqual([[1, 'm']])
  })

  test('what was moved is unmoved again when it changes', async () => {
    await using opened = await open()
    const { rows } = opened
    for (const market of ['C', 'A', 'B']) await put(rows, market, market, 0)
    await put(rows, 'later', 'A', 1, TUESDAY)
    const unmoved = async (after = '', limit = 9) =>
      (await rows.unmoved(VENUE, MONDAY, { after, limit })).map(({ market }) => market)
    expect(await unmoved()).toEqual(['A', 'B', 'C'])
    expect([await unmoved('A', 1), await unmoved('C'), await unmoved('', 2)]).toEqual([['B'], [], ['A', 'B']])
    expect(await rows.unmovedDates(VENUE, TUESDAY)).toEqual([MONDAY])
    expect(await rows.unmovedDates(VENUE, '2026-07-22')).toEqual([MONDAY, TUESDAY])
    expect(await rows.unmovedDates('polymarket', '2026-07-22')).toEqual([])
    const all = await rows.unmoved(VENUE, MONDAY, { after: '', limit: 9 })
    await rows.move(
      segmentOf('m'),
      all.map((each) => move(each.market, each.day, [1])),
    )
    expect([await unmoved(), await rows.unmovedDates(VENUE, '2026-07-22')]).toEqual([[], [TUESDAY]])
    await rows.commitRows(commit(null, change('B', 1, day(MONDAY, { before: headOf(5), head: headOf(6, 2) }))))
    expect(await unmoved()).toEqual(['B'])
  })
}

function sweeps(open: OpenRows): void {
  test('what nothing has named for long enough can be marked, and never be named again', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    await put(rows, 'b', 'A', 1)
    const keys = keysOf('a', 'b')
    expect([await unnamedOf(rows, HOUR_MS), await unnamedOf(rows, 0)]).toEqual([[], keysOf('a')])
    expect([await rows.mark(keys, HOUR_MS), await rows.mark(keys, 0)]).toEqual([[], keysOf('a')])
    // Marked, until its object is removed.
    expect([await rows.mark(keys, HOUR_MS), await unnamedOf(rows, HOUR_MS)]).toEqual([keysOf('a'), keysOf('a')])
    await expect(put(rows, 'a', 'A', 2)).rejects.toBeInstanceOf(SegmentSwept)
    await expect(rows.move(segmentOf('a'), [])).rejects.toBeInstanceOf(SegmentSwept)
    expect(await rowOf(rows, 'A')).toMatchObject({ revision: 2 })
    await rows.swept(keys)
    expect(await unnamedOf(rows, 0)).toEqual([])
    expect(await Array.fromAsync(rows.segments())).toEqual([segmentOf('b')])
  })

  test('a mark stays when its object is gone, until it is forgotten', async () => {
    await using opened = await open()
    const { rows } = opened
    await rows.mark(keysOf('x'), 0)
    await rows.forgetMarks(0)
    await expect(put(rows, 'x', 'A', 0)).rejects.toBeInstanceOf(SegmentSwept)
    await rows.swept(keysOf('x'))
    await rows.forgetMarks(HOUR_MS)
    await expect(put(rows, 'x', 'A', 0)).rejects.toBeInstanceOf(SegmentSwept)
    expect(await rows.unknown(keysOf('x'))).toEqual(keysOf('x'))
    await rows.forgetMarks(0)
    expect(await put(rows, 'x', 'A', 0)).toEqual([])
  })

  test('a key has one commit', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    await expect(put(rows, 'a', 'B', 0)).rejects.toBeInstanceOf(SegmentSwept)
    expect(await rowOf(rows, 'B')).toBeUndefined()
  })

  test('an object that is not known is marked at once, and one that rows name is not', async () => {
    await using opened = await open()
    const { rows } = opened
    await put(rows, 'a', 'A', 0)
    const keys = keysOf('x', 'a', 'y')
    expect(await rows.unknown(keys)).toEqual(keysOf('x', 'y'))
    expect((await rows.mark(keys, HOUR_MS)).sort()).toEqual(keysOf('x', 'y'))
    await expect(put(rows, 'x', 'A', 1)).rejects.toBeInstanceOf(SegmentSwept)
    expect(await rows.unknown(keys)).toEqual(keysOf('x', 'y'))
    await rows.swept(keysOf('a', 'x', 'y', 'never'))
    expect([await unnamedOf(rows, 0), await rows.unknown(keysOf('a'))]).toEqual([[], []])
    expect([await rows.mark([], 0), await rows.unknown([])]).toEqual([[], []])
  })

  test('what nothing names comes in pages', async () => {
    await using opened = await open()
    const { rows } = opened
    for (const [revision, key] of ['b', 'a', 'c'].entries()) await put(rows, key, 'A', revision)
    await rows.commitRows(commit(null, change('A', 3, day(MONDAY, { before: headOf(5), head: null }))))
    const page = async (after: string) =>
      (await rows.unnamed(0, { after, limit: 2 })).filter(({ key }) => key.startsWith('segments/'))
    expect(await page('segments/')).toEqual([segmentOf('a'), segmentOf('b')])
    expect(await page(segmentOf('b').key)).toEqual([segmentOf('c')])
  })
}

function lists(open: OpenRows): void {
  test('lists are in the order of bytes, and figures count what is named', async () => {
    await using opened = await open()
    const { rows } = opened
    for (const market of ['b', 'B', 'é', 'Z']) await put(rows, market, market, 0)
    await put(rows, 'b2', 'b', 1, TUESDAY)
    const inOrder = ['B', 'Z', 'b', 'é']
    expect(await rows.markets(VENUE, { prefix: '', offset: 0, limit: 9 })).toEqual({ markets: inOrder, totalCount: 4 })
    expect(await rows.markets(VENUE, { prefix: '', offset: 1, limit: 2 })).toMatchObject({ markets: ['Z', 'b'] })
    expect(await rows.markets(VENUE, { prefix: 'b', offset: 0, limit: 9 })).toEqual({ markets: ['b'], totalCount: 1 })
    const partitions = (await Array.fromAsync(rows.partitions(VENUE))).map(({ market, date }) => `${market} ${date}`)
    expect(partitions).toEqual([`B ${MONDAY}`, `Z ${MONDAY}`, `b ${MONDAY}`, `b ${TUESDAY}`, `é ${MONDAY}`])
    const segments = await Array.fromAsync(rows.segments())
    expect(segments.map(({ key }) => key)).toEqual(['B', 'Z', 'b', 'b2', 'é'].map((key) => segmentOf(key).key))
    const segmentBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(await rows.figures()).toEqual({ markets: 4, partitions: 5, segments: 5, segmentBytes })
    expect(await rows.upkeep()).toEqual({ daysToCompact: 5, segmentsToSweep: 0 })
  })
}
