// Goal: damage affects only its market and its date.

import { describe, expect, test } from 'bun:test'
import { databaseOf } from '../../../storage/lmdb/databases.ts'
import { openEnvironment } from '../../../storage/lmdb/environment.ts'
import { dayKey, entryKey, keyOf } from '../../../storage/rows/keys.ts'
import type { RowKey } from '../../../storage/rows/rows.ts'
import { DAY_MS } from '../../../storage/units.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { dateRequest, TestStore } from '../../support/store.ts'

const NEXT_DAY = new Date(NOON + DAY_MS).toISOString().slice(0, 10)
const OTHER = 'KXTEST-2'
const BLOCK = keyOf('b', 'kalshi', TICKER, DAY, '1')
const HEAD = dayKey({ venue: 'kalshi', market: TICKER, date: DAY })
const ENTRY = entryKey('kalshi', TICKER)

/** Makes a store of two markets and two days, with one changed row. The second day continues the books of the first. */
async function withDamage(
  key: RowKey,
  damage: (bytes: Buffer) => Buffer | undefined,
  run: (store: TestStore) => Promise<void>,
  /** The key to move the row to. */
  movedTo?: RowKey,
): Promise<void> {
  const store = new TestStore()
  try {
    const changes = [0, DAY_MS, DAY_MS + 1].map((ms) => kalshiDelta(ms, '0.4900', '1.00'))
    const days = [kalshiSnapshot([['0.4800', '5.00']]), ...changes]
    const lines = days.map((line) => JSON.stringify(line))
    await store.loadLines('c.ndjson', [...lines, ...lines.map((line) => line.replaceAll(TICKER, OTHER))])
    await store.store.flushed()
    const { databases, close } = openEnvironment(store.folder)
    const entries = databases[databaseOf(key)]
    const changed = damage(Buffer.from(entries.get(key)!))
    databases.root.transactionSync(() => {
      entries.removeSync(key)
      if (changed !== undefined) entries.putSync(movedTo ?? key, changed)
    })
    await close()
    store.store.refresh()
    await run(store)
  } finally {
    await store.close()
  }
}

const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 16 : byte)))

describe.each([
  ['a changed byte', flipped],
  ['a block cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['an empty block', () => Buffer.alloc(0)],
  ['no block', () => undefined],
])('%s', (_name, damage) => {
  test('is block_corrupt for its market and date only', () =>
    withDamage(BLOCK, damage, async (store) => {
      const summary = (market: string, date: string) => store.summary(dateRequest('kalshi', market, market, date, 60))
      const corrupt = new RegExp(`the kalshi market ${TICKER} on ${DAY} is damaged [(]block [01][)]: `)
      await expect(summary(TICKER, DAY)).rejects.toThrow(corrupt)
      await expect(store.records('kalshi', TICKER, DAY)).rejects.toThrow(corrupt)
      expect((await summary(TICKER, NEXT_DAY)).length).toBeGreaterThan(0)
      expect((await store.records('kalshi', TICKER, NEXT_DAY)).length).toBe(2)
      expect((await summary(OTHER, DAY)).length).toBeGreaterThan(0)
      expect((await store.records('kalshi', OTHER, DAY)).length).toBe(2)
    }))
})

test('a damaged head is block_corrupt, and requests for other markets work', () =>
  withDamage(HEAD, flipped, async (store) => {
    await expect(store.records('kalshi', TICKER, DAY)).rejects.toThrow(
      `Stored data of the kalshi market ${TICKER} on ${DAY} is damaged (head): it does not match its checksum`,
    )
    expect((await store.records('kalshi', OTHER, DAY)).length).toBe(2)
  }))

const same = (bytes: Buffer) => bytes
const list = async ({ store }: TestStore) =>
  await store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 10 })

describe('a row under another key than its own', () => {
  test('damages both blocks if it is a block', () =>
    withDamage(
      BLOCK,
      same,
      async (store) => {
        await expect(store.records('kalshi', TICKER, DAY)).rejects.toThrow('(block 1): it is missing')
        await expect(store.records('kalshi', OTHER, DAY)).rejects.toThrow('(block 0): it does not match')
        expect((await store.records('kalshi', OTHER, NEXT_DAY)).length).toBe(2)
      },
      keyOf('b', 'kalshi', OTHER, DAY, '1'),
    ))

  test('damages the day of that key if it is a day', () =>
    withDamage(
      HEAD,
      same,
      async (store) => {
        const misplaced = `the kalshi market ${TICKER} on 2026-07-99 is damaged (head)`
        await expect(store.dates('kalshi', TICKER)).rejects.toThrow(misplaced)
        expect((await store.records('kalshi', TICKER, NEXT_DAY)).length).toBe(2)
        expect((await store.dates('kalshi', OTHER)).length).toBe(2)
      },
      dayKey({ venue: 'kalshi', market: TICKER, date: '2026-07-99' }),
    ))

  test('is damage, and adds no market of that name, if it is a market', () =>
    withDamage(
      ENTRY,
      same,
      async (store) => {
        await expect(store.store.catalogue.market('kalshi', 'KXTEST-9')).rejects.toThrow(
          'KXTEST-9 is damaged: it does not match',
        )
        await expect(list(store)).rejects.toThrow('KXTEST-9 is damaged')
        expect((await store.store.catalogue.market('kalshi', OTHER))?.dateCount).toBe(2)
      },
      entryKey('kalshi', 'KXTEST-9'),
    ))
})

test('verify finds a missing day', () =>
  withDamage(
    HEAD,
    () => undefined,
    async ({ store }) => {
      const { damage, storeDamage } = await verifyStore(store, () => undefined)
      // The books that the next day stores depend on the missing day.
      const after = { venue: 'kalshi', market: TICKER, date: NEXT_DAY } as const
      expect(damage).toEqual([
        { ...after, what: 'head: its books differ from the blocks' },
        { ...after, what: 'books: the opening books differ from the day before' },
        { ...after, what: 'books: the closing books differ from the blocks' },
      ])
      expect(storeDamage.join()).toContain(`The entry of the kalshi market ${TICKER} has 2 days from`)
    },
  ))
