// The day that threads warm up on: a made-up one of both venues, loaded into a store in memory.

import { emptyState, type MemoryState } from '../../storage/memory/memory-state.ts'
import { memoryStore } from '../../storage/memory/memory-store.ts'
import { dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import { commitPart } from '../load/commit-part.ts'
import { MARKETS_AT_ONCE, PartSink } from '../load/part-sink.ts'
import { syntheticDay } from '../synthetic/synthetic-day.ts'

const DATE = '2026-07-20'

/** The busiest market has about half of them. */
const RECORDS = { kalshiRecords: 12_000, polymarketRecords: 4_000 }

export type WarmUpBook = { venue: Venue; market: string; book: string }

/** The store's state, and the busiest book of each venue. Plain data: it crosses threads. */
export type WarmUpDay = { date: string; state: MemoryState; books: WarmUpBook[] }

export async function makeWarmUpDay(): Promise<WarmUpDay> {
  const { kalshiTicker, conditionId, assetIds, ...day } = syntheticDay({ date: DATE, ...RECORDS })
  const state = emptyState()
  for (const lines of [day.kalshiLines, day.polymarketLines]) await load(lines, state)
  const books: WarmUpBook[] = [
    { venue: 'kalshi', market: kalshiTicker, book: kalshiTicker },
    { venue: 'polymarket', market: conditionId, book: assetIds[0] },
  ]
  return { date: DATE, state, books }
}

async function load(lines: Iterable<string>, state: MemoryState): Promise<void> {
  const loadingMs = dateStartMs(DATE)
  // So few records need no temporary file, and no folder for it.
  const sink = new PartSink({ folder: '', loadingMs, threads: 1, marketsAtOnce: MARKETS_AT_ONCE, onReject: refuse })
  const feed = new CaptureFeed(sink, refuse)
  const encoder = new TextEncoder()
  let number = 0
  for (const line of lines) {
    const bytes = encoder.encode(line)
    feed.line(bytes, 0, bytes.length, ++number)
  }
  feed.end()
  await commitPart(memoryStore({}, state), sink.collect().flat())
}

function refuse(): never {
  throw new Error('a message of the made-up day is refused')
}
