// The ten best levels of one book and date after each record that changes them, and its trades, from the model's
// records.

import { applyRecord, askLevels, type Book, bidLevels, type Level, unseenBook } from '../book.ts'
import { toNumber } from '../exact.ts'
import { placedRecords } from '../questions/place.ts'
import { tradeOf } from '../questions/trades.ts'
import type { Partition } from '../quotes.ts'

export type DbnState = { record: number; bids: [number, number][]; asks: [number, number][] }
export type DbnTrade = { record: number; timestamp: number; price: number; size: number; side: 'buy' | 'sell' | null }

export function dbnStates(partitions: Partition[], book: string, date: string): DbnState[] {
  const state = unseenBook()
  const states: DbnState[] = []
  let shown = JSON.stringify(topOf(unseenBook()))
  const records = placedRecords(partitions, book)
  for (const { record } of records.filter((placed) => placed.date < date)) applyRecord(state, record)
  const tell = (record: number, isAlways: boolean) => {
    const top = topOf(state)
    if (!isAlways && JSON.stringify(top) === shown) return
    shown = JSON.stringify(top)
    states.push({ record, ...top })
  }
  const isKnown = state.trust === 'established' || state.bids.size + state.asks.size > 0
  if (isKnown) tell(0, true)
  for (const { record, place } of records.filter((placed) => placed.date === date)) {
    applyRecord(state, record)
    if (record.type === 'delta') tell(place, false)
    if (record.type === 'snapshot' || record.type === 'gap') tell(place, true)
  }
  return states
}

export function dbnTrades(partitions: Partition[], book: string, date: string): DbnTrade[] {
  return placedRecords(partitions, book)
    .filter((placed) => placed.date === date)
    .flatMap(({ record, place }) => {
      const trade = tradeOf(record)
      if (trade === undefined) return []
      const { price, size, side } = trade
      return [{ record: place, timestamp: record.timestamp, price: toNumber(price), size: toNumber(size), side }]
    })
}

const topOf = (book: Book) => ({ bids: ten(bidLevels(book)), asks: ten(askLevels(book)) })
const ten = (levels: Level[]): [number, number][] =>
  levels.slice(0, 10).map(({ price, size }) => [toNumber(price), toNumber(size)])
