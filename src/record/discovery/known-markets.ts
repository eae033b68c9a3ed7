// Holds the markets of a venue that discovery has found, passes them to the recorder, and saves them in
// DIR/recorder/markets-<venue>.ndjson, so that they are recorded at once after a restart. The first line of the file
// has the selection. If it differs from the configured one, the file is ignored and a scan finds the markets.

import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Venue } from '../../../storage/venue.ts'
import type { MarketSink, WantedMarket } from '../connection/venue-protocol.ts'
import { RECORDER_FOLDER } from '../status/status-file.ts'

/** A selected market from the venue's REST. Times are Unix ms. */
export type FoundMarket = {
  /** Condition id, or ticker. */
  market: string
  /** Tokens, or the ticker. */
  books: readonly string[]
  opensMs: number | null
  closesMs: number | null
  /** Whether the market is resolved or settled. The venue then sends nothing more about the market. */
  isOver: boolean
  /** Fingerprint of the fields whose changes are sent to the store. */
  said: string
}

type KnownMarket = Omit<FoundMarket, 'isOver'> & {
  /** Time at which the market was first seen to be over; null while the market is not over. */
  overMs: number | null
}

type KnownMarketsOptions = {
  venue: Venue
  sink: MarketSink
  /** How long a market is recorded after it is over. */
  keepMs: number
  /** The recording of a market starts this long before the market opens. Infinity starts it as soon as the market is
   *  found. */
  aheadMs: number
  nowMs: () => number
}

export class KnownMarkets {
  readonly #options: KnownMarketsOptions
  readonly #known = new Map<string, KnownMarket>()
  /** Known markets that are not recorded yet, because it is too early. */
  readonly #early = new Set<string>()
  /** Increases with each change of the known markets. */
  revision = 0

  constructor(options: KnownMarketsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#known.size
  }

  get(market: string): KnownMarket | undefined {
    return this.#known.get(market)
  }

  all(): IterableIterator<KnownMarket> {
    return this.#known.values()
  }

  /** Adds the markets that were known before a restart, and offers all of them to the recorder. */
  restore(markets: Iterable<KnownMarket>): void {
    for (const market of markets) {
      this.#known.set(market.market, market)
      this.#early.add(market.market)
    }
    this.sweep()
  }

  /** Adds and updates markets. Returns whether the store should get the response that describes them. */
  take(found: readonly FoundMarket[]): boolean {
    let isNews = false
    for (const { isOver, ...market } of found) {
      const known = this.#known.get(market.market)
      if (known === undefined && isOver) continue
      const overMs = isOver ? (known?.overMs ?? this.#options.nowMs()) : null
      const changed = known?.said !== market.said
      if (changed || known?.overMs !== overMs) this.revision++
      isNews ||= changed
      this.#known.set(market.market, { ...market, overMs })
      if (known === undefined) this.#early.add(market.market)
    }
    this.#offer()
    return isNews
  }

  /** Removes markets that have been over for `keepMs`, and offers those that are no longer too early. */
  sweep(): void {
    const { venue, sink, keepMs, nowMs } = this.#options
    const books: string[] = []
    for (const market of this.#known.values()) {
      if (market.overMs === null || market.overMs + keepMs > nowMs()) continue
      this.#known.delete(market.market)
      if (!this.#early.delete(market.market)) books.push(...market.books)
      this.revision++
    }
    if (books.length > 0) sink.unwant(venue, books)
    this.#offer()
  }

  #offer(): void {
    const { venue, sink, aheadMs, nowMs } = this.#options
    const wanted: WantedMarket[] = []
    for (const name of this.#early) {
      const { market, books, opensMs } = this.#known.get(name)!
      if (opensMs !== null && opensMs - aheadMs > nowMs()) continue
      this.#early.delete(name)
      wanted.push({ venue, market, books })
    }
    if (wanted.length > 0) sink.want(wanted)
  }
}

const FORMAT = 1
/** Number of lines in one write. A whole venue has hundreds of thousands of lines. Each write yields to the event
 *  loop. */
const LINES_AT_ONCE = 500

export type SetPlace = {
  folder: string
  venue: Venue
  /** The selection as a text. Equal texts select the same markets. */
  selection: string
}
type SavedSet = {
  /** Unix ms. */
  savedMs: number
  markets: KnownMarket[]
}

const pathOf = ({ folder, venue }: SetPlace) => join(folder, RECORDER_FOLDER, `markets-${venue}.ndjson`)

/** Writes the markets to a temporary file and then replaces the old one. Throws errors of the file system. */
export async function saveSet(
  place: SetPlace,
  { savedMs, markets }: { savedMs: number; markets: Iterable<KnownMarket> },
) {
  mkdirSync(join(place.folder, RECORDER_FOLDER), { recursive: true, mode: 0o700 })
  const part = `${pathOf(place)}.${process.pid}.part`
  const file = await open(part, 'w', 0o600)
  try {
    const { venue, selection } = place
    let lines = [JSON.stringify({ format: FORMAT, venue, selection, saved_at: savedMs })]
    // Copies the list, since the markets may change while they are written.
    for (const market of [...markets]) {
      lines.push(JSON.stringify(market))
      if (lines.length < LINES_AT_ONCE) continue
      await file.write(`${lines.join('\n')}\n`)
      lines = []
    }
    await file.write(lines.length === 0 ? '' : `${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  renameSync(part, pathOf(place))
}

/** Reads the file. Returns null if it does not exist, has another selection, or cannot be read: then a scan finds the
 *  markets. */
export function readSet(place: SetPlace): SavedSet | null {
  try {
    const [head, ...markets] = readFileSync(pathOf(place), 'utf8').trimEnd().split('\n')
    const saved = headOf(JSON.parse(head!), place)
    return saved && { ...saved, markets: markets.map((line) => marketOf(JSON.parse(line))) }
  } catch {
    return null
  }
}

function headOf(value: unknown, { venue, selection }: SetPlace): SavedSet | null {
  const head = value as { format?: unknown; venue?: unknown; selection?: unknown; saved_at?: unknown }
  const isOurs = head.format === FORMAT && head.venue === venue && head.selection === selection
  return isOurs && typeof head.saved_at === 'number' ? { savedMs: head.saved_at, markets: [] } : null
}

/** Throws Error if the value is not a market. */
function marketOf(value: unknown): KnownMarket {
  const market = value as KnownMarket
  const hasBooks = Array.isArray(market.books) && market.books.every((book) => typeof book === 'string')
  if (typeof market.market !== 'string' || typeof market.said !== 'string' || !hasBooks) throw new Error('not a market')
  return market
}
