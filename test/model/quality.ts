// Finds losses of one book that no gap record reports, and counts where the venue confirms or contradicts the book
// (docs/books.md).

import { applyRecord, type Book, copyOf, topOf, unseenBook } from './book.ts'
import type { TimedRecord } from './event-time.ts'
import { amount, ONE } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { bodyOf, deltaOf, dollars } from './kalshi-message.ts'
import { changesOf } from './polymarket-message.ts'

type DoubtReason =
  | 'sequence_restart'
  | 'sequence_hole'
  | 'below_zero'
  | 'crossed'
  | 'unreadable_change'
  | 'best_price_contradicts'
  | 'hash_contradicts'
export type InferredGap = {
  reason: DoubtReason | 'snapshot_contradicts'
  from: number
  to: number | null
  levelsDiffering: number | null
}
export type Quality = {
  inferredGaps: InferredGap[]
  snapshotsConfirmed: number
  snapshotsContradicted: number
  longestSilenceMs: number
  bestPricesAgreed: number
  bestPricesChecked: number
  levelsSkipped: number
}

/** Returns the quality of one book in one partition, from its records and the `book` before them. `isReceived` returns
 *  whether a capture has the book without a gap between two times. It is null for records of a recorder, because each
 *  connection has its own sequence numbers. `holes` are the times of the last records before holes in the numbers. */
export function qualityOf(
  records: TimedRecord[],
  book: Book,
  isReceived: ((fromMs: number, toMs: number) => boolean) | null,
  holes: number[],
): Quality {
  const quality: Quality = {
    inferredGaps: [],
    snapshotsConfirmed: 0,
    snapshotsContradicted: 0,
    longestSilenceMs: 0,
    bestPricesAgreed: 0,
    bestPricesChecked: 0,
    levelsSkipped: records.reduce((sum, record) => sum + skippedLevels(record), 0),
  }
  const seqs = new Map<number, number>()
  let doubt: Doubt | undefined
  /** The time before the first of the latest quotes that contradict the venue's best prices; undefined if they
   *  agree. */
  let missFrom: number | undefined
  records.forEach((record, index) => {
    const before = records[index - 1]
    const beforeMs = before?.timestamp ?? record.timestamp
    quality.longestSilenceMs = Math.max(quality.longestSilenceMs, record.timestamp - beforeMs)
    if (isReceived !== null && record.sid !== null && record.seq !== null) {
      if (record.seq < (seqs.get(record.sid) ?? 0)) {
        if (!isReceived(beforeMs, record.timestamp)) doubt ??= { reason: 'sequence_restart', from: beforeMs }
        seqs.clear()
      }
      seqs.set(record.sid, record.seq)
    }
    const lastMs = before?.timestamp ?? Number.NEGATIVE_INFINITY
    const hole = holes.find((fromMs) => fromMs >= lastMs && fromMs < record.timestamp)
    if (hole !== undefined) doubt ??= { reason: 'sequence_hole', from: hole }
    if (record.type === 'gap' || record.type === 'snapshot') missFrom = undefined
    if (record.type === 'gap') {
      if (doubt !== undefined && book.trust !== 'lost')
        quality.inferredGaps.push({ ...doubt, to: record.timestamp, levelsDiffering: null })
      doubt = undefined
    }
    if (record.type === 'snapshot') {
      noteSnapshot(quality, records, index, copyOf(book), doubt)
      doubt = undefined
    }
    const wasSound = book.trust === 'established'
    const found = record.type === 'delta' ? impossibleChange(book, record) : undefined
    const isEvidence = found === 'unreadable_change' ? book.trust !== 'lost' : wasSound
    if (found !== undefined && isEvidence) doubt ??= { reason: found, from: beforeQuote(records, index) }
    applyRecord(book, record)
    if (record.type === 'snapshot' && skippedLevels(record) > 0)
      doubt = { reason: 'unreadable_change', from: record.timestamp }
    const isQuote = record.type === 'snapshot' || (record.type === 'delta' && endsQuote(records, index))
    if (book.trust !== 'established' || !isQuote) return
    if (record.venue === 'kalshi' && isCrossed(book)) doubt ??= { reason: 'crossed', from: beforeQuote(records, index) }
    const agrees = record.type === 'delta' ? noteBest(quality, book, record) : undefined
    if (agrees === true) missFrom = undefined
    if (agrees === false && missFrom !== undefined) doubt ??= { reason: 'best_price_contradicts', from: missFrom }
    if (agrees === false) missFrom ??= beforeQuote(records, index)
    if (record.hashOutcome === 'contradicts')
      doubt ??= { reason: 'hash_contradicts', from: beforeQuote(records, index) }
    if (record.hashOutcome !== 'agrees') return
    if (doubt !== undefined) quality.inferredGaps.push({ ...doubt, to: record.timestamp, levelsDiffering: null })
    doubt = undefined
    missFrom = undefined
  })
  const last = records.at(-1)
  const hole = holes.find((fromMs) => last !== undefined && fromMs >= last.timestamp)
  if (hole !== undefined) doubt ??= { reason: 'sequence_hole', from: hole }
  if (doubt !== undefined && book.trust !== 'lost')
    quality.inferredGaps.push({ ...doubt, to: null, levelsDiffering: null })
  return quality
}

/** The reason why a book is doubtful until its next snapshot, and the start of the doubt, Unix ms. */
type Doubt = { reason: DoubtReason; from: number }

/** Returns the time of the record before this record's quote; for a snapshot, its own time. */
function beforeQuote(records: TimedRecord[], index: number): number {
  if (records[index]!.type === 'snapshot') return records[index]!.timestamp
  let first = index
  for (let i = index - 1; i >= 0; i--) {
    if (!changesBook(records[i]!)) continue
    const { type, quoteNs } = records[i]!
    if (type !== 'delta' || quoteNs === undefined || quoteNs !== records[index]!.quoteNs) break
    first = i
  }
  return records[first - 1]?.timestamp ?? records[first]!.timestamp
}

/** Returns why a change is impossible if the book is correct; undefined if it is possible. */
function impossibleChange(book: Book, record: TimedRecord): DoubtReason | undefined {
  if (skippedLevels(record) > 0) return 'unreadable_change'
  if (record.venue !== 'kalshi') return undefined
  const { side, price, amount: change } = deltaOf(bodyOf(record.msg))
  if (price === undefined || change === undefined || (side !== 'yes' && side !== 'no')) return 'unreadable_change'
  const size = side === 'yes' ? book.bids.get(price) : book.asks.get(record.isYesScale === true ? price : ONE - price)
  return (size ?? 0n) + change < 0n ? 'below_zero' : undefined
}

function isCrossed(book: Book): boolean {
  const { bid, ask } = topOf(book)
  return bid !== null && ask !== null && bid.price >= ask.price
}

const changesBook = ({ type }: TimedRecord) => type === 'snapshot' || type === 'delta' || type === 'gap'

function noteSnapshot(
  quality: Quality,
  records: TimedRecord[],
  index: number,
  rebuilt: Book,
  doubt: Doubt | undefined,
): void {
  const snapshot = records[index]!
  const from = records[index - 1]?.timestamp ?? snapshot.timestamp
  const levelsDiffering = rebuilt.trust === 'established' ? differenceAt(records, index, rebuilt) : null
  const isDoubted = doubt !== undefined && rebuilt.trust !== 'lost'
  if (isDoubted) quality.inferredGaps.push({ ...doubt, to: snapshot.timestamp, levelsDiffering })
  if (levelsDiffering === null) return
  const later = records.slice(index + 1).filter(changesBook)
  const hasLaterChange = later.some(
    (record) => record.type === 'delta' || (record.type === 'snapshot' && !isEmpty(record)),
  )
  // An empty snapshot with no change after it means that the market closed.
  if (isEmpty(snapshot) && !hasLaterChange) return
  if (levelsDiffering <= 1) {
    if (!isEmpty(snapshot)) quality.snapshotsConfirmed++
    return
  }
  quality.snapshotsContradicted++
  if (!isDoubted) {
    quality.inferredGaps.push({ reason: 'snapshot_contradicts', from, to: snapshot.timestamp, levelsDiffering })
  }
}

function isEmpty(record: TimedRecord): boolean {
  const book = unseenBook()
  applyRecord(book, record)
  return book.bids.size + book.asks.size === 0
}

/** Counts the levels that differ between the snapshot and the book rebuilt up to it, after all records of the same
 *  venue time. */
function differenceAt(records: TimedRecord[], index: number, rebuilt: Book): number {
  const snapshot = records[index]!
  const stated = copyOf(rebuilt)
  applyRecord(stated, snapshot)
  for (const record of records.slice(index + 1).filter(changesBook)) {
    const isSameTime = snapshot.quoteNs !== undefined && record.quoteNs === snapshot.quoteNs
    if (record.type !== 'delta' || !isSameTime) break
    applyRecord(stated, record)
    applyRecord(rebuilt, record)
  }
  const differs = (one: Map<bigint, bigint>, other: Map<bigint, bigint>) =>
    [...new Set([...one.keys(), ...other.keys()])].filter((price) => one.get(price) !== other.get(price)).length
  return differs(stated.bids, rebuilt.bids) + differs(stated.asks, rebuilt.asks)
}

function endsQuote(records: TimedRecord[], index: number): boolean {
  let following = index + 1
  while (following < records.length && !changesBook(records[following]!)) following++
  const next = records[following]
  const { quoteNs } = records[index]!
  return next === undefined || next.type !== 'delta' || quoteNs === undefined || next.quoteNs !== quoteNs
}

/** Returns whether the book has the best prices that the venue states; undefined if the venue states none. */
function noteBest(quality: Quality, book: Book, record: TimedRecord): boolean | undefined {
  const entry = record.venue === 'polymarket' ? changesOf(record.msg).at(-1) : undefined
  if (entry === undefined) return undefined
  const bid = statedPrice(entry, 'best_bid', 0n)
  const ask = statedPrice(entry, 'best_ask', ONE)
  if (bid === undefined || ask === undefined) return undefined
  const top = topOf(book)
  quality.bestPricesChecked++
  const agrees = bid === (top.bid?.price ?? null) && ask === (top.ask?.price ?? null)
  if (agrees) quality.bestPricesAgreed++
  return agrees
}

function statedPrice(entry: JsonObject, key: string, empty: bigint): bigint | null | undefined {
  if (entry[key] === '') return null
  const price = amount(entry[key])
  if (price === undefined || price < 0n || price > ONE) return undefined
  return price === empty ? null : price
}

/** A price in dollars and a size; undefined if the value cannot be stored in a book. */
type Level = [price: bigint | undefined, size: bigint | undefined]
/** A level whose entry has neither a price nor a size. */
const NO_LEVEL: Level = [undefined, undefined]

/** Counts the levels of a snapshot or a change that no book can store. */
function skippedLevels({ type, venue, msg }: TimedRecord): number {
  if (type !== 'snapshot' && type !== 'delta') return 0
  const levels = venue === 'kalshi' ? kalshiLevels(type, bodyOf(msg)) : polymarketLevels(type, msg)
  return levels.filter(([price, size]) => price === undefined || price < 0n || price > ONE || size === undefined).length
}

function kalshiLevels(type: 'snapshot' | 'delta', body: JsonObject): Level[] {
  if (type === 'snapshot') {
    return ['yes', 'no'].flatMap((side) => {
      const key = presentKey(body, [`${side}_dollars_fp`, `${side}_dollars`, side])
      return listIn(key && body[key]).map(
        (level): Level =>
          Array.isArray(level) && level.length > 1 ? [dollars(key!, level[0]), amount(level[1])] : NO_LEVEL,
      )
    })
  }
  const price = presentKey(body, ['price_dollars', 'price'])
  const size = presentKey(body, ['delta_fp', 'delta'])
  // A change without a price or a size changes nothing.
  if (price === undefined || size === undefined || typeof body['side'] !== 'string') return []
  return [[dollars(price, body[price]), amount(body[size])]]
}

const presentKey = (body: JsonObject, keys: string[]) => keys.find((key) => (body[key] ?? null) !== null)

function polymarketLevels(type: 'snapshot' | 'delta', msg: JsonObject): Level[] {
  const entries = type === 'delta' ? changesOf(msg) : [...listIn(msg['bids']), ...listIn(msg['asks'])]
  return entries.map((entry): Level => {
    if (!isObject(entry)) return NO_LEVEL
    const { price, size, side } = entry
    const isKnownSide = type === 'snapshot' || side === 'BUY' || side === 'SELL'
    return [isKnownSide ? amount(price) : undefined, amount(size)]
  })
}

const listIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
