// An append reads only the tail of a day from the store, however long the day is. If a plan needs more parts, they are
// read then, and the result equals that of one load.

import { expect, test } from 'bun:test'
import type { PartRef } from '../../storage/block-store.ts'
import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { memoryStore } from '../../test/support/memory-store/memory-store.ts'
import { type AnyStore, dateRequest, TestStore } from '../../test/support/store.ts'
import { joinFrom, seedOf } from './join-blocks.ts'

const DELTAS = 40_000
const lines = [
  kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
  ...Array.from({ length: DELTAS }, (_, n) => kalshiDelta(n * 50, `0.${20 + (n % 30)}00`, `${1 + (n % 7)}.50`)),
].map((line) => JSON.stringify(line))

const answersOf = async (store: AnyStore) => [
  await store.records('kalshi', TICKER, DAY),
  await store.summary(dateRequest('kalshi', TICKER, TICKER, DAY, 60)),
]

/** Returns what the last of these loads requests from the store; checks that the answers after it equal those of one
 *  load. */
async function requestedKinds(...parts: string[][]): Promise<string[]> {
  let requested: string[] = []
  const isGone = ({ kind }: PartRef) => requested.push(kind) < 0
  const store = new TestStore(() => memoryStore({ isGone }))
  const whole = new TestStore(() => memoryStore())
  for (const [index, part] of parts.entries()) {
    requested = []
    expect((await store.loadLines(`${index}.ndjson`, part)).error).toBeNull()
  }
  const kinds = requested.toSorted()
  await whole.loadLines('whole.ndjson', lines)
  expect(await answersOf(store)).toEqual(await answersOf(whole))
  await Promise.all([store.close(), whole.close()])
  return kinds
}

test('an append that joins no blocks requests only the books', async () => {
  expect(await requestedKinds(lines.slice(0, -20), lines.slice(-20))).toEqual(['books'])
})

test('an append that joins blocks requests the blocks to rewrite, and the books before them', async () => {
  const seed = seedOf({ venue: 'kalshi', market: TICKER, date: DAY })
  const start = lines.length - 60
  const stored = [BLOCK_RECORDS_MAX, BLOCK_RECORDS_MAX, start - 2 * BLOCK_RECORDS_MAX]
  while (joinFrom(stored, 5, seed) === stored.length) stored.push(5)
  const joined = stored.length - 3
  const parts = Array.from({ length: joined }, (_, i) => lines.slice(start + 5 * i, start + 5 * (i + 1)))
  parts.push(lines.slice(start + 5 * joined))
  const kinds = (kind: string) => Array.from({ length: joined }, () => kind)
  expect(await requestedKinds(lines.slice(0, start), ...parts)).toEqual([...kinds('block'), 'books', ...kinds('state')])
})

test('an append that repeats the last records requests the tail', async () => {
  const requested = await requestedKinds(lines.slice(0, -40), lines.slice(-40, -20), lines.slice(-25))
  expect(requested).toEqual(['block', 'books', 'state'])
})

test('a capture that fills a hole requests the blocks from the hole on', async () => {
  const all = [...lines.slice(0, 20_000), ...lines.slice(20_020)]
  const requested = await requestedKinds(all, lines.slice(19_990, 20_030))
  expect(requested).toEqual(['block', 'block', 'books', 'state', 'state'])
})
