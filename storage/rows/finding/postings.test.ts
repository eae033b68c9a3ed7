// A search finds a market by the start of any of its words, and by no other text, even if many markets have the word.

import { expect, test } from 'bun:test'
import { postingsIn } from '../../../test/support/finding/search-damage.ts'
import { MemoryRows } from '../../../test/support/rows/memory-rows.ts'
import { IndexChange, NO_CARDS } from './index-change.ts'
import { markWord, termKey } from './postings.ts'

const MANY = 1_200

/** Stores markets that are found by the words of their ids. */
async function indexed(...markets: string[]): Promise<MemoryRows> {
  const rows = new MemoryRows()
  const index = new IndexChange(rows)
  for (const [number, market] of markets.entries()) {
    index.change({ venue: 'kalshi', market, number, before: null, after: NO_CARDS })
  }
  const write = { expect: [], put: [], remove: [] }
  await index.finish(write)
  await rows.commit(write)
  return rows
}

async function found(rows: MemoryRows, count: number, word: string) {
  const marks = { hits: new Uint8Array(count), begins: new Uint8Array(count), before: 0 }
  await markWord(rows, 'kalshi', word, marks)
  const numbers = (all: Uint8Array) => [...all.keys()].filter((number) => all[number] === 1)
  return { hits: numbers(marks.hits), begins: numbers(marks.begins) }
}

test('a word is found by its start, and the first word of an id is marked as such', async () => {
  const rows = await indexed('KXBTC-26JUL', 'KXETH-BTC', 'ÉTÉ')
  expect(await found(rows, 3, 'kx')).toEqual({ hits: [0, 1], begins: [0, 1] })
  expect(await found(rows, 3, 'kxb')).toEqual({ hits: [0], begins: [0] })
  expect(await found(rows, 3, 'btc')).toEqual({ hits: [1], begins: [] })
  expect(await found(rows, 3, 'kxbtcx')).toEqual({ hits: [], begins: [] })
})

test('a word of many markets is in several parts; a market that loses the word is in none of them', async () => {
  const rows = await indexed(...Array.from({ length: MANY }, (_, number) => `SAME-${number}`))
  expect((await found(rows, MANY, 'same')).hits).toHaveLength(MANY)
  const key = termKey('kalshi', 'same')
  expect((await rows.keys({ from: key, to: `${key}\xff`, limit: 10 })).length).toBeGreaterThan(1)
  const index = new IndexChange(rows)
  index.change({ venue: 'kalshi', market: 'SAME-7', number: 7, before: NO_CARDS, after: null })
  const write = { expect: [], put: [], remove: [] }
  await index.finish(write)
  expect(await rows.commit(write)).toEqual([])
  expect((await found(rows, MANY, 'same')).hits).not.toContain(7)
  const parts = await rows.range({ from: key, to: `${key}\xff`, limit: 10 })
  expect(parts.flatMap((part) => postingsIn(part.key, part.value))).toHaveLength(MANY - 1)
})
