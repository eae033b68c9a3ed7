// Pairs days of a store with the same days of the model, for tests of exports.

import { expect } from 'bun:test'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { type BookEvent, bookEvents } from '../../model/exports/book-events.ts'
import { loadTexts, type ModelStore } from '../../model/model.ts'
import { RandomCapture } from '../../workers/load/random-capture.ts'
import { type AnyStore, withStore } from '../store.ts'

export type ComparedBook = { venue: Venue; market: string; date: string; book: string; events: BookEvent[] }
export type ComparedMarket = { venue: Venue; market: string; books: ComparedBook[] }

/** Returns every book and date of the store, with the model's events of that day. */
export async function comparedMarkets({ store }: AnyStore, model: ModelStore): Promise<ComparedMarket[]> {
  const markets: ComparedMarket[] = []
  for (const venue of VENUES) {
    for (const market of model.markets(venue)) {
      const partitions = model.partitions(venue, market)
      const books: ComparedBook[] = []
      for (const [index, { date }] of partitions.entries()) {
        const head = await store.catalogue.head({ venue, market, date })
        expect(head?.recordCount).toBe(partitions[index]!.records.length)
        for (const { id } of head!.books) {
          books.push({ venue, market, date, book: id, events: bookEvents(partitions, index, id) })
        }
      }
      markets.push({ venue, market, books })
    }
  }
  return markets
}

/** Returns a random capture, and adds prices and sizes to its trades of Kalshi. */
export function randomLines(seed: number, isEnveloped: boolean, count: number): string[] {
  const capture = new RandomCapture(seed, isEnveloped)
  const { random } = capture
  return capture.lines(count).map((line) =>
    line.replace(/"trade_id":"(\w+)"/, (field) => {
      const price = `0.${random.between(10, 99)}00`
      const side = random.pick(['"taker_side":"yes",', '"taker_side":"no",', ''])
      return `${side}"yes_price_dollars":"${price}","count_fp":"${random.between(1, 50)}.50",${field}`
    }),
  )
}

/** Loads a random capture, in one part or in two overlapping parts, into a store and a model. */
export async function withRandomDays(
  seed: number,
  run: (store: AnyStore, markets: ComparedMarket[]) => Promise<void>,
): Promise<void> {
  const lines = randomLines(seed, seed % 3 !== 0, 160)
  const parts = seed % 2 === 0 ? [lines] : [lines.slice(0, 100), lines.slice(60)]
  const model = loadTexts(
    parts.map((part) => part.join('\n')),
    Date.now(),
  )
  await withStore(async (tested) => {
    for (const [i, part] of parts.entries()) await tested.loadLines(`part-${i}`, part)
    await run(tested, await comparedMarkets(tested, model))
  })
}
