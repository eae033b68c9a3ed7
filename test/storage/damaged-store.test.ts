// Goal: damage costs the market and the date that it is in, and nothing else.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { open } from 'lmdb'
import { DAY_MS } from '../../storage/units.ts'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../model/lines.ts'
import { dateRequest, TestStore } from '../support/store.ts'

const NEXT_DAY = new Date(NOON + DAY_MS).toISOString().slice(0, 10)
const OTHER = 'KXTEST-2'

/** A store of two markets and two days, in which one entry of a database is changed. */
async function withDamage(
  database: 'blocks' | 'heads',
  damage: (bytes: Buffer) => Buffer | undefined,
  run: (store: TestStore) => void,
): Promise<void> {
  const store = new TestStore()
  try {
    const days = [0, DAY_MS].flatMap((ms) => [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(ms, '0.4900', '1.00')])
    const lines = days.map((line) => JSON.stringify(line))
    await store.loadLines('c.ndjson', [...lines, ...lines.map((line) => line.replaceAll(TICKER, OTHER))])
    await store.store.flushed()
    const root = open({ path: join(store.folder, 'store'), encoding: 'binary', maxDbs: 8 })
    const entries = root.openDB<Buffer, (string | number)[]>({ name: database, encoding: 'binary' })
    const key = ['kalshi', TICKER, DAY, ...(database === 'blocks' ? [0] : [])]
    const changed = damage(Buffer.from(entries.get(key)!))
    if (changed === undefined) entries.removeSync(key)
    else entries.putSync(key, changed)
    await root.flushed
    await root.close()
    store.store.refresh()
    run(store)
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
    withDamage('blocks', damage, (store) => {
      const summary = (market: string, date: string) => () =>
        store.summary(dateRequest('kalshi', market, market, date, 60))
      const corrupt = expect.objectContaining({ code: 'block_corrupt' })
      expect(summary(TICKER, DAY)).toThrow(corrupt)
      expect(() => store.records('kalshi', TICKER, DAY)).toThrow(corrupt)
      expect(summary(TICKER, NEXT_DAY)().length).toBeGreaterThan(0)
      expect(store.records('kalshi', TICKER, NEXT_DAY).length).toBe(2)
      expect(summary(OTHER, DAY)().length).toBeGreaterThan(0)
      expect(store.records('kalshi', OTHER, DAY).length).toBe(2)
    }))
})

test('a damaged head is block_corrupt, and other markets are answered', () =>
  withDamage('heads', flipped, (store) => {
    expect(() => store.records('kalshi', TICKER, DAY)).toThrow(expect.objectContaining({ code: 'block_corrupt' }))
    expect(store.records('kalshi', OTHER, DAY).length).toBe(2)
  }))
