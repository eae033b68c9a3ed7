// Stores sources in layers (section 15 of the contract) as a slow, obvious and exact program. Merges the records of
// each source separately; only the layers decide what a date shows.

import type { Capture } from '../capture.ts'
import { type ModelRecord, ModelStore, printRecord, type Venue } from '../model.ts'
import { summarizeTrades, type TradeBucket, type TradeSummaryRequest } from '../questions/trade-summary.ts'
import type { RangeRequest } from '../summary.ts'
import type { Layer } from './layer.ts'
import { type ShownDate, type ShownRecord, type Switch, shownRecords, switchesOf } from './shown.ts'
import {
  type ShownBook,
  type ShownBookRequest,
  type ShownChangeRow,
  type ShownChangesRequest,
  shownBookAt,
  shownChanges,
} from './shown-book.ts'
import { type ShownBucket, type ShownSummaryRequest, summarizeShown } from './shown-summary.ts'
import {
  type ShownCounts,
  type ShownTrade,
  shownCounts,
  shownTrades,
  tradePartitions,
  tradesInRange,
} from './shown-trades.ts'
import { type Span, spansOf } from './spans.ts'

/** `sources` are archives in the operator's order. */
export type LayeredSettings = { sources?: string[] | undefined }
/** A record as raw data prints it; own records have no `source`. */
export type PrintedShownRecord = ModelRecord & { source?: string }

export class LayeredModel {
  readonly #settings: LayeredSettings
  readonly #stores = new Map<string | null, ModelStore>()
  /** Caches the layers and dates of markets that were requested since the last change. */
  readonly #shown = new Map<string, { layers: Layer[]; dates: ShownDate[] }>()

  constructor(settings: LayeredSettings = {}) {
    this.#settings = settings
  }

  /** `source` is null for own recordings. */
  load(source: string | null, capture: Capture, nowMs: number): void {
    const store = this.#stores.get(source) ?? new ModelStore()
    this.#stores.set(source, store)
    store.load(capture, nowMs)
    this.#shown.clear()
  }

  delete(source: string | null): void {
    this.#stores.delete(source)
    this.#shown.clear()
  }

  /** Returns the store that `source=NAME` selects; undefined if nothing of that source is loaded. */
  layer(source: string | null): ModelStore | undefined {
    return this.#stores.get(source)
  }

  markets(venue: Venue): string[] {
    return [...new Set([...this.#stores.values()].flatMap((store) => store.markets(venue)))].sort()
  }

  dates(venue: Venue, market: string): string[] {
    return this.#of(venue, market).dates.map(({ date }) => date)
  }

  spans(venue: Venue, market: string, date: string): Span[] {
    return this.#date(venue, market, date)?.spans ?? []
  }

  shown(venue: Venue, market: string, date: string): ShownRecord[] {
    return this.#date(venue, market, date)?.records ?? []
  }

  switches(venue: Venue, market: string, date: string): Switch[] {
    return structuredClone(this.#date(venue, market, date)?.switches ?? [])
  }

  records(venue: Venue, market: string, date: string): PrintedShownRecord[] {
    return this.shown(venue, market, date).map(({ record, source }) => {
      return { ...printRecord(record), ...(source === null ? {} : { source }) }
    })
  }

  counts(venue: Venue, market: string, date: string): ShownCounts {
    return shownCounts(this.#of(venue, market).dates, date, this.#lending(venue, market))
  }

  /** Returns buckets of a book. Here and below, a Kalshi `book` has the name of its market. */
  summary(venue: Venue, market: string, book: string, request: ShownSummaryRequest): ShownBucket[] {
    const { layers, dates } = this.#of(venue, market)
    return summarizeShown(layers, dates, book, request)
  }

  bookAt(venue: Venue, market: string, book: string, request: ShownBookRequest): ShownBook {
    const { layers, dates } = this.#of(venue, market)
    const trades = shownTrades(dates, this.#lending(venue, market), book)
    return shownBookAt(layers, dates, book, request, trades)
  }

  bookChanges(venue: Venue, market: string, book: string, request: ShownChangesRequest): ShownChangeRow[] {
    const { layers, dates } = this.#of(venue, market)
    return shownChanges(layers, dates, book, request)
  }

  /** Returns the trades of all books if `book` is null. */
  trades(venue: Venue, market: string, book: string | null, request: RangeRequest): ShownTrade[] {
    const { dates } = this.#of(venue, market)
    return tradesInRange(shownTrades(dates, this.#lending(venue, market), book), request)
  }

  tradeSummary(venue: Venue, market: string, book: string, request: TradeSummaryRequest): TradeBucket[] {
    const { dates } = this.#of(venue, market)
    return summarizeTrades(tradePartitions(dates, this.#lending(venue, market)), book, request)
  }

  #date(venue: Venue, market: string, date: string): ShownDate | undefined {
    return this.#of(venue, market).dates.find((shown) => shown.date === date)
  }

  #lending(venue: Venue, market: string) {
    return { layers: this.#of(venue, market).layers, sources: this.#settings.sources }
  }

  /** Returns the layers of a market and its dates; a date is stored if any layer has a record on it. */
  #of(venue: Venue, market: string): { layers: Layer[]; dates: ShownDate[] } {
    const key = `${venue} ${market}`
    const found = this.#shown.get(key)
    if (found !== undefined) return found
    const layers = [...this.#stores].map(([source, store]): Layer => {
      const quality = (date: string, book: string) => store.quality(venue, market, date, book)
      return { source, partitions: store.partitions(venue, market), quality }
    })
    const stored = new Set(layers.flatMap(({ partitions }) => partitions.map(({ date }) => date)))
    const dates: ShownDate[] = []
    for (const date of [...stored].sort()) {
      const spans = spansOf(layers, date, this.#settings.sources)
      const records = shownRecords(layers, date, spans)
      const before = dates.at(-1)?.spans.at(-1)?.source
      dates.push({ date, spans, records, switches: switchesOf(layers, date, spans, records, before) })
    }
    this.#shown.set(key, { layers, dates })
    return { layers, dates }
  }
}
