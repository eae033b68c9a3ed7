// Compares the order of the records of many markets with a sorted list of all of them.

import { expect, test } from 'bun:test'
import { Random } from '../../workers/synthetic/random.ts'
import { type Merged, MergedRecords } from './merged-records.ts'

/** A market in pages: at the end of a page it is loading until `load` supplies the next one. */
class FakeMarket implements Merged {
  state: Merged['state'] = 'loading'
  timeMs = 0
  readonly order: number
  readonly #pages: number[][]
  #index = 0

  constructor(order: number, pages: number[][]) {
    this.order = order
    this.#pages = pages
  }

  get all(): number[] {
    return this.#pages.flat()
  }

  load(): void {
    while (this.#pages[0]?.length === 0) this.#pages.shift()
    this.state = this.#pages.length === 0 ? 'ended' : 'ready'
    this.timeMs = this.#pages[0]?.[0] ?? 0
  }

  advance(): void {
    const page = this.#pages[0]!
    if (++this.#index < page.length) {
      this.timeMs = page[this.#index]!
      return
    }
    this.#pages.shift()
    this.#index = 0
    this.state = this.#pages.length === 0 ? 'ended' : 'loading'
  }
}

function randomMarket(random: Random, order: number): FakeMarket {
  let timeMs = random.below(50)
  const pages = Array.from({ length: random.below(4) }, () =>
    Array.from({ length: random.below(30) }, () => {
      timeMs += random.below(4)
      return timeMs
    }),
  )
  return new FakeMarket(order, pages)
}

test.each(Array.from({ length: 200 }, (_, seed) => seed))('every record once, in order, seed %d', (seed) => {
  const random = new Random(seed, 'merged')
  const markets = Array.from({ length: 1 + random.below(12) }, (_, order) => randomMarket(random, order))
  const expected = markets
    .flatMap((market) => market.all.map((timeMs, place) => ({ timeMs, order: market.order, place })))
    .sort((a, b) => a.timeMs - b.timeMs || a.order - b.order || a.place - b.place)
    .map(({ timeMs, order }) => [timeMs, order])

  const merged = new MergedRecords<FakeMarket>()
  for (const market of markets) merged.add(market)
  const got: number[][] = []
  while (merged.isLoading || merged.first !== undefined) {
    if (merged.isLoading) {
      expect(merged.first).toBeUndefined()
      const loading = markets.filter(({ state }) => state === 'loading')
      const next = loading[random.below(loading.length)]!
      next.load()
      merged.add(next)
      continue
    }
    const { timeMs, order } = merged.first!
    got.push([timeMs, order])
    merged.advance()
  }
  expect(got).toEqual(expected)
})

test('a market that is removed is not waited for, and the others keep their order', () => {
  const [a, b, c] = [[5, 9], [1, 7], [3]].map((page, order) => new FakeMarket(order, [page])) as [
    FakeMarket,
    FakeMarket,
    FakeMarket,
  ]
  const merged = new MergedRecords<FakeMarket>()
  for (const market of [a, b, c]) merged.add(market)
  for (const market of [a, c]) {
    market.load()
    merged.add(market)
  }
  expect(merged.first).toBeUndefined()
  merged.remove(b)
  expect(merged.first).toBe(c)
  merged.remove(c)
  expect(merged.first).toBe(a)
})
