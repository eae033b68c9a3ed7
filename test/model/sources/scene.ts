// Generates a market over some dates from a seed, as own recorders and two archives captured it. Each source loses
// different messages and is away at different times, and some print coarser times.

import { Random } from '../../../workers/synthetic/random.ts'
import type { JsonObject } from '../json.ts'
import { book, CONDITION, kalshiDelta, kalshiSnapshot, NOON, priceChange, received, TICKER } from '../lines.ts'
import type { Venue } from '../message.ts'
import { kalshiFill, polymarketFill } from '../questions/made-lines.ts'

/** One capture of a source, as JSON lines. `source` is null for own recordings. */
export type SceneCapture = { source: string | null; name: string; text: string }
export type SceneStep = { do: 'load'; capture: SceneCapture } | { do: 'delete'; source: string }
export type LayeredScene = {
  venue: Venue
  market: string
  books: string[]
  /** The archives in the operator's order; undefined if the operator sets no order. */
  sources: string[] | undefined
  captures: SceneCapture[]
  /** Sequences of steps that must give the same store: each ends with all captures loaded. Captures of one source
   *  stay in their order. */
  orders: SceneStep[][]
}

type Side = 'bid' | 'ask'
/** A change of a level. `ms` is the time after noon of the first date. */
type Change = { kind: 'change'; ms: number; book: string; side: Side; cents: number; size: number; before: number }
type Trade = { kind: 'trade'; ms: number; book: string; side: Side; cents: number; size: number }
type Event = Change | Trade

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVENTS = 110
const ARCHIVES = ['alpha', 'beta']
const BOTH = ['change', 'trade'] as const

export function layeredScene(seed: number): LayeredScene {
  const random = new Random(seed, 'layers')
  const venue = random.pick(['kalshi', 'polymarket'] as const)
  const feed = new Feed(random, venue)
  const own = Array.from({ length: random.between(1, 2) }, (_, i) => ownCaptures(feed, random, i)).flat()
  const captures = [
    ...own.map((text, i) => ({ source: null, name: `own-${i}`, text })),
    ...ARCHIVES.flatMap((source) =>
      archiveCaptures(feed, random).map((text, i) => ({ source, name: `${source}-${i}`, text })),
    ),
  ]
  return {
    venue,
    market: venue === 'kalshi' ? TICKER : CONDITION,
    books: feed.books,
    sources: random.pick([undefined, undefined, ['beta', 'alpha'], ['beta']]),
    captures,
    orders: [captures.map((capture) => ({ do: 'load', capture })), ...[1, 2, 3].map(() => orderOf(captures, random))],
  }
}

/** Returns steps that load the sources in a random order, some files twice, and delete archives and load them again. */
function orderOf(captures: SceneCapture[], random: Random): SceneStep[] {
  const steps: SceneStep[] = []
  const left = new Map([...Map.groupBy(captures, ({ source }) => source)].map(([source, all]) => [source, [...all]]))
  while (left.size > 0) {
    const source = random.pick([...left.keys()])
    const waiting = left.get(source)!
    const capture = waiting.shift()
    if (capture === undefined) left.delete(source)
    else steps.push({ do: 'load', capture })
    if (capture !== undefined && random.chance(0.2)) steps.push({ do: 'load', capture })
    if (source === null || random.chance(0.85)) continue
    steps.push({ do: 'delete', source })
    left.set(
      source,
      captures.filter((each) => each.source === source),
    )
  }
  return steps
}

/** Returns one or two files, which state most of their gaps. */
function ownCaptures(feed: Feed, random: Random, recorder: number): string[] {
  const header = random.chance(0.5) ? [JSON.stringify({ backbook: 'segment', recorder: `host-${recorder}` })] : []
  const lines = feed.recorded({
    ...{ loss: random.pick([0, 0, 0.02]), coarseMs: 1, lateMs: 3 + recorder, gapChance: 0.85, awayChance: 0.05 },
    skipsDates: random.chance(0.4),
    startsWhole: random.chance(0.85),
    kinds: random.pick([BOTH, BOTH, ['change'] as const]),
  })
  return cutInTwo(lines, random).map((part) => [...header, ...part].join('\n'))
}

function archiveCaptures(feed: Feed, random: Random): string[] {
  const lines = feed.recorded({
    ...{ loss: random.pick([0, 0.03, 0.15]), coarseMs: random.pick([1, 1, 1_000]), lateMs: random.pick([3, 40]) },
    ...{ gapChance: 0.4, awayChance: 0.03, skipsDates: random.chance(0.4), startsWhole: random.chance(0.8) },
    kinds: random.pick([BOTH, BOTH, BOTH, BOTH, ['trade'] as const]),
  })
  return cutInTwo(lines, random).map((part) => part.join('\n'))
}

function cutInTwo(lines: string[], random: Random): string[][] {
  const cut = random.chance(0.5) ? random.between(0, lines.length) : lines.length
  return [lines.slice(0, cut), lines.slice(cut)].filter((part) => part.length > 0)
}

/** `coarseMs`: venue times are multiples of this. `lateMs`: how far the recorder's clock may be behind the venue's,
 *  ms. */
type RecordingSettings = {
  loss: number
  coarseMs: number
  lateMs: number
  gapChance: number
  awayChance: number
  skipsDates: boolean
  startsWhole: boolean
  kinds: readonly Event['kind'][]
}

class Feed {
  readonly books: string[]
  readonly #random: Random
  readonly #venue: Venue
  readonly #events: Event[] = []

  constructor(random: Random, venue: Venue) {
    this.#random = random
    this.#venue = venue
    this.books = venue === 'kalshi' ? [TICKER] : ['71', '72']
    const sizes = new Map<string, number>()
    let ms = random.between(9 * HOUR_MS, 12 * HOUR_MS - 60_000)
    while (this.#events.length < EVENTS) {
      ms += this.#pause()
      const [name, side] = [random.pick(this.books), random.pick(['bid', 'ask'] as const)]
      const cents = side === 'bid' ? random.between(43, 49) : random.between(51, 57)
      const at = { ms, book: name, side, cents }
      if (random.chance(0.12)) {
        this.#events.push({ kind: 'trade', ...at, size: random.between(1, 9) })
        continue
      }
      const before = sizes.get(`${name} ${cents}`) ?? 0
      const size = before > 0 && random.chance(0.4) ? 0 : before + random.between(1, 9)
      sizes.set(`${name} ${cents}`, size)
      this.#events.push({ kind: 'change', ...at, size, before })
    }
  }

  #pause(): number {
    const kind = this.#random.fraction()
    if (kind < 0.08) return this.#random.between(HOUR_MS / 2, 9 * HOUR_MS)
    return kind < 0.2 ? this.#random.between(10_000, 20 * 60_000) : this.#random.between(0, 3_000)
  }

  /** Returns the lines of a recording. The recorder may begin late, end early, and be away at times. After an
   *  absence, most books have a snapshot. */
  recorded(settings: RecordingSettings): string[] {
    const random = this.#random
    const first = random.chance(0.6) ? random.below(EVENTS / 2) : 0
    const last = random.chance(0.6) ? EVENTS - random.between(1, EVENTS / 3) : EVENTS
    const skipped = settings.skipsDates ? dayAt(this.#events[random.below(EVENTS)]!.ms) : undefined
    const hasBooks = settings.kinds.includes('change')
    const lines: string[] = []
    let awaySince: number | undefined
    let isNew = true
    let lateMs = 0
    const write = (ms: number, message: JsonObject) => {
      lateMs = random.between(0, settings.lateMs)
      lines.push(JSON.stringify(received(ms + lateMs, message)))
    }
    this.#events.slice(first, last).forEach((event) => {
      const { ms } = event
      if (dayAt(ms) === skipped || random.chance(settings.awayChance)) {
        awaySince ??= ms
        return
      }
      if (awaySince !== undefined && random.chance(0.6)) return
      if (awaySince !== undefined && !isNew && random.chance(settings.gapChance)) {
        for (const gap of this.#gaps(awaySince, ms)) write(ms, gap)
      }
      if (hasBooks && (isNew ? settings.startsWhole : awaySince !== undefined)) {
        for (const name of this.books) if (random.chance(0.85)) write(ms, this.#snapshot(name, ms))
      }
      isNew = false
      awaySince = undefined
      const isRecorded = settings.kinds.includes(event.kind) && !random.chance(settings.loss)
      if (isRecorded) write(ms, this.#message(event, ms - (ms % settings.coarseMs)))
      if (hasBooks && random.chance(0.03)) write(ms, this.#snapshot(event.book, ms + 1))
    })
    return lines
  }

  #gaps(from: number, to: number): JsonObject[] {
    const msg = { reason: 'disconnect', from: NOON + from, to: NOON + to }
    if (this.#venue === 'kalshi') return [{ type: 'gap', venue: 'kalshi', market: TICKER, msg }]
    const gap = { type: 'gap', venue: 'polymarket', market: CONDITION, msg }
    const named = this.#random.pick([[null], this.books, ['71']])
    return named.map((name) => (name === null ? gap : { ...gap, asset_id: name }))
  }

  #message(event: Event, statedMs: number): JsonObject {
    const { kind, ms, book: name, side, cents, size } = event
    const isBid = side === 'bid'
    if (kind === 'trade') {
      const id = `t${ms}${name}${cents}${size}`
      if (this.#venue === 'kalshi') return kalshiFill(statedMs, price(cents), `${size}`, isBid ? 'yes' : 'no', id)
      const more = { asset_id: name, transaction_hash: id }
      return polymarketFill(statedMs, price(cents), `${size}`, isBid ? 'BUY' : 'SELL', more)
    }
    if (this.#venue === 'kalshi') {
      const amount = String(size - event.before)
      return kalshiDelta(statedMs, price(isBid ? cents : 100 - cents), amount, isBid ? 'yes' : 'no')
    }
    const [bid, ask] = this.#topAt(event)
    const best = { best_bid: bid === undefined ? '' : price(bid), best_ask: ask === undefined ? '' : price(ask) }
    const entry = { asset_id: name, price: price(cents), size: String(size), side: isBid ? 'BUY' : 'SELL', ...best }
    return priceChange(statedMs, entry)
  }

  /** Returns a snapshot of the book before the events of `ms`. */
  #snapshot(name: string, ms: number): JsonObject {
    const levels = [...this.#sizes(name, (change) => change.ms < ms)].filter(([, size]) => size > 0)
    const of = (isBid: boolean) => levels.filter(([cents]) => cents < 50 === isBid)
    const printed = (isBid: boolean): [string, string][] =>
      of(isBid).map(([cents, size]) => {
        return [price(this.#venue === 'kalshi' && !isBid ? 100 - cents : cents), String(size)]
      })
    if (this.#venue === 'kalshi') return kalshiSnapshot(printed(true), printed(false))
    return book(ms, printed(true), printed(false), name)
  }

  #sizes(name: string, isUntil: (change: Change) => boolean): Map<number, number> {
    const changes = this.#events.filter((event) => event.kind === 'change').filter((each) => each.book === name)
    return new Map(changes.filter(isUntil).map(({ cents, size }) => [cents, size]))
  }

  #topAt(event: Change): [bid: number | undefined, ask: number | undefined] {
    const place = this.#events.indexOf(event)
    const sizes = this.#sizes(event.book, (change) => this.#events.indexOf(change) <= place)
    const held = [...sizes].filter(([, size]) => size > 0).map(([cents]) => cents)
    const ascending = held.sort((a, b) => a - b)
    return [ascending.findLast((cents) => cents < 50), ascending.find((cents) => cents > 50)]
  }
}

const price = (cents: number): string => (cents / 100).toFixed(2)
/** Returns the number of the date, 0 for the first. */
const dayAt = (ms: number): number => Math.floor((ms + DAY_MS / 2) / DAY_MS)
