// The records that a market gets in many commits are stored in few blocks, and are rewritten few times. No single
// commit rewrites them for all markets.

import { describe, expect, test } from 'bun:test'
import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import { joinFrom, lastingBlocks, seedOf } from './join-blocks.ts'

const key = (n: number) => ({ venue: 'kalshi', market: `KXJOIN-T${n}`, date: '2026-07-20' }) as const

/** Returns the blocks after an append, cut where they are full, and how many records were written. */
function append(blocks: number[], added: number, seed: number): { blocks: number[]; written: number } {
  const from = joinFrom(blocks, added, seed)
  const written = blocks.slice(from).reduce((sum, count) => sum + count, added)
  const nextBlocks = blocks.slice(0, from)
  for (let left = written; left > 0; left -= BLOCK_RECORDS_MAX) nextBlocks.push(Math.min(left, BLOCK_RECORDS_MAX))
  return { blocks: nextBlocks, written }
}

describe.each([1, 2, 3])('partition %d', (n) => {
  test.each([1, 7, 20, 50, 333, 1_000, 5_000])('appends of %d records', (added) => {
    const total = Math.max(3 * BLOCK_RECORDS_MAX, 40 * added)
    let blocks: number[] = []
    let written = 0
    let small = 0
    for (let records = 0; records < total; records += added) {
      const after = append(blocks, added, seedOf(key(n)))
      blocks = after.blocks
      written += after.written
      small = Math.max(small, blocks.filter((count) => count < BLOCK_RECORDS_MAX).length)
    }
    expect(blocks.reduce((sum, count) => sum + count, 0)).toBe(Math.ceil(total / added) * added)
    expect(small).toBeLessThanOrEqual(4 * 11)
    // Blocks of fewer than 64 records are also joined with larger ones of their tier.
    expect(written / total).toBeLessThan(added < 64 ? 10 : 5)
  })
})

test('markets that begin together are joined in different commits', () => {
  const markets = Array.from({ length: 600 }, (_, n) => ({ blocks: [] as number[], seed: seedOf(key(n)) }))
  for (let commit = 0; commit < 100; commit++) {
    let joined = 0
    for (const market of markets) {
      const { blocks, written } = append(market.blocks, 50, market.seed)
      market.blocks = blocks
      if (written > 50) joined++
    }
    expect(joined).toBeLessThan(markets.length / 2)
  }
})

test('blocks that are full last', () => {
  expect(lastingBlocks([])).toBe(0)
  expect(lastingBlocks([100, 20])).toBe(0)
  expect(lastingBlocks([BLOCK_RECORDS_MAX, 20, BLOCK_RECORDS_MAX, 7, 7])).toBe(3)
  expect(joinFrom([BLOCK_RECORDS_MAX, 7, 7], BLOCK_RECORDS_MAX, 8)).toBe(1)
  expect(joinFrom([BLOCK_RECORDS_MAX, 7, 7], 7, 8)).toBe(3)
})
