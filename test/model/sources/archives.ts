// Decides the order of the archives of a date.
//
// Where the contract leaves room: archives that the operator does not name follow those that the operator names, in the
// default order. An archive without a stated best price to compare with follows those that have one.

import { type Layer, partitionAt } from './layer.ts'

/** Returns the archives that have a record on the date, in the order in which they are consulted. */
export function archivesInOrder(layers: Layer[], date: string, sources: string[] = []): Layer[] {
  const ranked = layers.flatMap((layer) => {
    const { source } = layer
    if (source === null || partitionAt(layer, date) === undefined) return []
    const place = sources.indexOf(source)
    return [{ layer, source, place: place < 0 ? sources.length : place, best: bestPricesOf(layer, date) }]
  })
  return ranked
    .sort(
      (one, other) =>
        one.place - other.place || moreAgreed(one.best, other.best) || (one.source < other.source ? -1 : 1),
    )
    .map(({ layer }) => layer)
}

type BestPrices = { agreed: number; checked: number }

/** Counts the stated best prices over all books of the date. */
function bestPricesOf(layer: Layer, date: string): BestPrices {
  const books = new Set(partitionAt(layer, date)!.records.flatMap(({ book }) => book ?? []))
  const qualities = [...books].map((book) => layer.quality(date, book))
  return {
    agreed: qualities.reduce((sum, { bestPricesAgreed }) => sum + bestPricesAgreed, 0),
    checked: qualities.reduce((sum, { bestPricesChecked }) => sum + bestPricesChecked, 0),
  }
}

/** Returns a negative number if the first archive agrees more often. Compares the shares without division. */
function moreAgreed(one: BestPrices, other: BestPrices): number {
  if (one.checked === 0 || other.checked === 0) return Number(one.checked === 0) - Number(other.checked === 0)
  return other.agreed * one.checked - one.agreed * other.checked
}
