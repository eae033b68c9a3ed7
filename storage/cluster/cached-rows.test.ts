// While the database reports changes, a cached row is no longer used once a change of it is reported, even if the
// report arrives while the row is being read.

import { describe, expect, test } from 'bun:test'
import { MemoryClusterRows } from '../../test/support/cluster/memory-cluster-rows.ts'
import { DataError } from '../failures.ts'
import { below, dayKey, entryKey, keyOf, SECRET_KEY } from '../rows/keys.ts'
import { type RowKey, revisionOf } from '../rows/rows.ts'
import { CachedRows } from './cached-rows.ts'
import { ChangeNotices, noticeMemory } from './change-notices.ts'
import type { CacheOptions } from './market-cache.ts'

const NAME = { venue: 'kalshi', market: 'KX' } as const
const ENTRY = entryKey(NAME.venue, NAME.market)
const day = (date: string): RowKey => dayKey({ ...NAME, date })
const [MONDAY, TUESDAY] = [day('2026-07-20'), day('2026-07-21')]
const DAYS = { ...below(keyOf('d', NAME.venue, NAME.market)), limit: 10 }

const bytes = (text: string) => new Uint8Array(Buffer.from(text.padEnd(8, '.'), 'latin1'))
const textOf = (value: Uint8Array | undefined) => value && Buffer.from(value).toString('latin1').replace(/\.+$/, '')

/** Rows of a slow database: an answer has the rows of the time of its query, and arrives when the test lets it. */
class SlowRows extends MemoryClusterRows {
  readonly pending: (() => void)[] = []
  isSlow = true
  questions = 0

  override async get(keys: readonly RowKey[]) {
    this.questions++
    const values = await super.get(keys)
    if (this.isSlow) await new Promise<void>((resolve) => void this.pending.push(resolve))
    return values
  }

  override keys(page: Parameters<MemoryClusterRows['keys']>[0]) {
    this.questions++
    return super.keys(page)
  }

  put(...rows: [RowKey, string][]) {
    return this.commit({ expect: [], put: rows.map(([key, text]) => ({ key, value: bytes(text) })), remove: [] })
  }

  /** Lets the next answer arrive. */
  async answer() {
    while (this.pending.length === 0) await Bun.sleep(0)
    this.pending.shift()!()
  }
}

function cached(options?: CacheOptions) {
  const stored = new SlowRows()
  const rows = new CachedRows(stored, options)
  const entry = async () => textOf((await rows.get([ENTRY]))[0])
  return { stored, rows, entry }
}

test('a row that is known is used while changes are reported, and read again after one', async () => {
  const { stored, rows, entry } = cached()
  await stored.put([ENTRY, '1'])
  rows.watching()
  const first = entry()
  await stored.answer()
  expect(await first).toBe('1')
  rows.refresh()
  expect([await entry(), stored.pending.length]).toEqual(['1', 0])
  await stored.put([ENTRY, '2'])
  rows.changed([NAME])
  const second = entry()
  await stored.answer()
  expect(await second).toBe('2')
})

test('a change that is reported while a row is being read is not lost', async () => {
  const { stored, rows, entry } = cached()
  await stored.put([ENTRY, '1'])
  rows.watching()
  const first = entry()
  while (stored.pending.length === 0) await Bun.sleep(0)
  await stored.put([ENTRY, '2'])
  rows.changed([NAME])
  await stored.answer()
  expect(await first).toBe('1')
  const second = entry()
  await stored.answer()
  expect(await second).toBe('2')
})

test('a change that is reported while an entry is checked is not lost', async () => {
  const { stored, rows, entry } = cached()
  await stored.put([ENTRY, '1'])
  rows.watching()
  const first = entry()
  await stored.answer()
  await first
  rows.lost()
  rows.watching()
  const second = entry()
  while (stored.pending.length === 0) await Bun.sleep(0)
  await stored.put([ENTRY, '2'])
  rows.changed([NAME])
  await stored.answer()
  expect(await second).toBe('1')
  const third = entry()
  await stored.answer()
  expect(await third).toBe('2')
})

test('rows that were read while nothing was reported are checked when changes are reported again', async () => {
  const { stored, rows, entry } = cached()
  await stored.put([ENTRY, '1'])
  const first = entry()
  await stored.answer()
  await first
  await stored.put([ENTRY, '2'])
  rows.watching()
  const second = entry()
  await stored.answer()
  expect(await second).toBe('2')
})

test('days of one answer belong to one entry, and known days are not read again', async () => {
  const { stored, rows } = cached()
  stored.isSlow = false
  await stored.put([ENTRY, '1'], [MONDAY, 'a'])
  const days = async () => (await rows.range(DAYS)).map(({ value }) => textOf(value))
  expect(await days()).toEqual(['a'])
  const { questions } = stored
  expect([await days(), stored.questions]).toEqual([['a'], questions])
  await stored.put([ENTRY, '2'], [MONDAY, 'b'], [TUESDAY, 'c'])
  // The same task still sees the old row.
  expect(await days()).toEqual(['a'])
  expect((await rows.get([TUESDAY])).map(textOf)).toEqual(['c'])
  expect(await days()).toEqual(['b', 'c'])
  expect((await rows.range({ ...DAYS, limit: 1, isReversed: true })).map(({ key }) => key)).toEqual([TUESDAY])
})

test('a commit is visible to the next one, and a refused one drops the rows that it was planned on', async () => {
  const { stored, rows, entry } = cached()
  stored.isSlow = false
  const put = async (text: string, before: string | undefined) => {
    const expect = [{ key: ENTRY, revision: revisionOf(before === undefined ? undefined : bytes(before)) }]
    const date: [RowKey, string][] = [
      [ENTRY, text],
      [MONDAY, text],
    ]
    return rows.commit({ expect, put: date.map(([key, value]) => ({ key, value: bytes(value) })), remove: [] })
  }
  expect(await put('1', undefined)).toEqual([])
  expect([await entry(), (await rows.get([MONDAY])).map(textOf)]).toEqual(['1', ['1']])
  const { questions } = stored
  expect(await put('2', '1')).toEqual([])
  expect([await entry(), (await rows.get([MONDAY])).map(textOf)]).toEqual(['2', ['2']])
  expect(stored.questions).toBe(questions)
  await stored.put([ENTRY, 'of another'])
  expect(await put('3', '2')).toEqual([0])
  expect(await entry()).toBe('of another')
})

test('dates that were read while a commit added one are read again', async () => {
  const { stored, rows } = cached()
  stored.isSlow = false
  await stored.put([ENTRY, '1'], [MONDAY, 'a'])
  await rows.get([ENTRY])
  let isHeld = true
  const keys = stored.keys.bind(stored)
  stored.keys = async (page) => {
    const found = await keys(page)
    while (isHeld) await Bun.sleep(0)
    return found
  }
  const days = rows.range(DAYS)
  await Bun.sleep(0)
  const expectEntry = [{ key: ENTRY, revision: revisionOf(bytes('1')) }]
  const put: [RowKey, string][] = [
    [ENTRY, '2'],
    [TUESDAY, 'b'],
  ]
  await rows.commit({ expect: expectEntry, put: put.map(([key, text]) => ({ key, value: bytes(text) })), remove: [] })
  isHeld = false
  await days
  expect((await rows.range(DAYS)).map(({ key }) => key)).toEqual([MONDAY, TUESDAY])
})

test('while the database does not answer, cached rows are returned', async () => {
  const { stored, rows, entry } = cached({ elapsedMs: () => 0 })
  stored.isSlow = false
  await stored.put([ENTRY, '1'], [SECRET_KEY, 'secret'])
  const secret = async () => textOf((await rows.get([SECRET_KEY]))[0])
  expect([await entry(), await secret()]).toEqual(['1', 'secret'])
  stored.get = () => Promise.reject(new DataError('store_unavailable', 'The catalogue does not answer'))
  rows.refresh()
  expect([await entry(), await secret()]).toEqual(['1', 'secret'])
  expect(rows.get([entryKey('kalshi', 'OTHER')])).rejects.toThrow('does not answer')
})

describe('a thread that sleeps while another one listens', () => {
  async function threads() {
    const memory = noticeMemory()
    const listening = cached({ shares: new ChangeNotices(memory) })
    const sleeping = cached({ follows: new ChangeNotices(memory) })
    await listening.stored.put([ENTRY, '1'])
    await sleeping.stored.put([ENTRY, '1'])
    return { listening, sleeping }
  }

  /** Returns the entry for the next task, and how often the database was queried. */
  async function ask({ rows, stored, entry }: ReturnType<typeof cached>) {
    rows.refresh()
    const row = entry()
    await Bun.sleep(0)
    let questions = 0
    while (stored.pending.length > 0) {
      questions++
      await stored.answer()
      await Bun.sleep(0)
    }
    return [await row, questions]
  }

  test('uses a row that it knows until a change is reported to the other one', async () => {
    const { listening, sleeping } = await threads()
    listening.rows.watching()
    expect([await ask(sleeping), await ask(sleeping)]).toEqual([
      ['1', 1],
      ['1', 0],
    ])
    await sleeping.stored.put([ENTRY, '2'])
    expect(await ask(sleeping)).toEqual(['1', 0])
    listening.rows.changed([NAME])
    expect([await ask(sleeping), await ask(sleeping)]).toEqual([
      ['2', 1],
      ['2', 0],
    ])
  })

  test('checks a row each time while changes may be missed, and once when they are reported again', async () => {
    const { listening, sleeping } = await threads()
    expect([await ask(sleeping), await ask(sleeping)]).toEqual([
      ['1', 1],
      ['1', 1],
    ])
    listening.rows.watching()
    expect([await ask(sleeping), await ask(sleeping)]).toEqual([
      ['1', 1],
      ['1', 0],
    ])
    listening.rows.lost()
    await sleeping.stored.put([ENTRY, '2'])
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual(['2', 1])
  })

  test('returns no older row than the other thread, which read it before its change was reported', async () => {
    const { listening, sleeping } = await threads()
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual(['1', 1])
    await sleeping.stored.put([ENTRY, '2'])
    await listening.stored.put([ENTRY, '2'])
    expect([await ask(listening), await ask(sleeping)]).toEqual([
      ['2', 1],
      ['2', 1],
    ])
  })

  test('checks a row again whose change was reported while it was being read', async () => {
    const { listening, sleeping } = await threads()
    listening.rows.watching()
    sleeping.rows.refresh()
    const first = sleeping.entry()
    while (sleeping.stored.pending.length === 0) await Bun.sleep(0)
    await sleeping.stored.put([ENTRY, '2'])
    listening.rows.changed([NAME])
    await sleeping.stored.answer()
    expect(await first).toBe('1')
    expect(await ask(sleeping)).toEqual(['2', 1])
  })
})
