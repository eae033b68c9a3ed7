// Compares a data folder with what the venues sent. Each sent message is stored, or falls within a gap of its book.
// Every message in a segment is stored. No message is stored that was not sent, or more often than a connection
// received it.

import { type OpenStore, openStore, type Store } from '../../../storage/open-store.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import {
  findSegment,
  loadedFolder,
  newFolder,
  PART_END,
  segmentsBelow,
} from '../../../workers/segment/segment-folder.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { wrongBooks } from './compare-books.ts'
import { BOOKS, type Ledger } from './ledger.ts'
import type { TrialMarket, TrialVenues } from './trial-venues.ts'

type Gap = { from: number; to: number; reason: string }
type StoredRecord = {
  type: string
  timestamp: number
  received_at: number | null
  asset_id?: string | null
  msg: Record<string, unknown>
}

export type Checked = {
  sent: number
  delivered: number
  stored: number
  /** Number of messages that are not stored and fall within gaps of their books. */
  withinGaps: number
  /** Number of messages that were sent for a book before its first stored record. */
  beforeFirst: number
  gaps: number
  gapMs: number
  /** Number of messages in segments. */
  acknowledged: number
  records: number
}

const PAGE = 50_000
const REPORTED_MAX = 5

/** Throws if a promise is broken. Every book must equal the venue's, so the venue must send nothing meanwhile. */
export async function checkRecording(folder: string, venues: TrialVenues): Promise<Checked> {
  const store = openStore(folder)
  try {
    return await checkStore(store, venues, [folder])
  } finally {
    await store.close()
  }
}

/** Checks any store: it must hold what the segments of these data folders hold. With `mayBeLost`, a book that is marked
 *  as unknown is no fault, but a book that differs from its venue's is. */
export async function checkStore(
  store: OpenStore,
  { ledger, markets, ...venues }: TrialVenues,
  folders: readonly string[],
  mayBeLost = false,
): Promise<Checked> {
  const { damage } = await verifyStore(store, () => undefined)
  if (damage.length > 0) throw new Error(`the store is damaged: ${JSON.stringify(damage.slice(0, REPORTED_MAX))}`)
  const check = new RecordingCheck(ledger, markets)
  for (const market of markets) {
    await check.market(store, market)
    await check.restarts(store, market)
    check.books(market, await wrongBooks(store, market, venues, mayBeLost))
  }
  for (const folder of folders) await check.segments(folder)
  return check.result()
}

class RecordingCheck {
  readonly #ledger: Ledger
  readonly #ofMarket: number[][]
  /** The books for which each message is stored, as bits. */
  readonly #stored: Uint8Array
  readonly #wrong: string[] = []
  readonly #checked: Checked

  constructor(ledger: Ledger, markets: readonly TrialMarket[]) {
    this.#ledger = ledger
    this.#stored = new Uint8Array(ledger.count)
    this.#ofMarket = markets.map(() => [])
    for (let n = 0; n < ledger.count; n++) this.#ofMarket[ledger.market(n)]!.push(n)
    this.#checked = {
      ...{ sent: ledger.count, delivered: ledger.deliveredCount, stored: 0, withinGaps: 0, beforeFirst: 0 },
      ...{ gaps: 0, gapMs: 0, acknowledged: 0, records: 0 },
    }
  }

  async market(store: Store, market: TrialMarket): Promise<void> {
    const gaps = new Map<number, Gap[]>()
    // The time of a snapshot is the last change of its book, which may be before the first connection. So this uses the
    // time of receipt.
    const firstMs = new Map<number, number>()
    const copies = new Map<number, number>()
    for await (const record of recordsOf(store, market)) {
      this.#checked.records++
      const bits = bitsOf(market, record)
      if (record.type === 'gap') {
        const gap = record.msg as Gap
        this.#checked.gaps++
        this.#checked.gapMs += gap.to - gap.from
        for (const bit of bitsIn(bits)) gaps.set(bit, [...(gaps.get(bit) ?? []), gap])
        continue
      }
      // A change may arrive through the subscription of the other token.
      const isOfOther = market.tokens !== null && record.type === 'delta'
      for (const bit of isOfOther ? [] : bitsIn(bits)) {
        if (!firstMs.has(bit)) firstMs.set(bit, record.received_at ?? record.timestamp)
      }
      const n = record.msg['n']
      if (typeof n === 'number') this.#count(market, n, bits, copies)
    }
    this.#lookForMissing(market, gaps, firstMs)
  }

  /** Expects no inferred restarts: a recorder writes a gap for each loss, so the sequence numbers of its records have
   *  no meaning. */
  async restarts(store: Store, { venue, market }: TrialMarket): Promise<void> {
    for (const { head } of await store.catalogue.heads(venue, market)) {
      const inferred = head.inferredGaps.filter(({ reason }) => reason === 'sequence_restart')
      for (const { fromMs, toMs } of inferred) this.#fail(`${market}: a restart is inferred from ${fromMs} to ${toMs}`)
    }
  }

  #count(market: TrialMarket, n: number, bits: number, copies: Map<number, number>): void {
    const ledger = this.#ledger
    if (n >= ledger.count || ledger.market(n) !== market.index || (bits & ~ledger.books(n)) !== 0) {
      return this.#fail(`message ${n} of ${market.market} was never sent for this book`)
    }
    this.#stored[n]! |= bits
    const key = n * 4 + bits
    const count = (copies.get(key) ?? 0) + 1
    copies.set(key, count)
    if (count > Math.max(1, ledger.timesMax(n))) {
      this.#fail(
        `message ${n} of ${market.market} is stored ${count} times, a connection received it ${ledger.timesMax(n)}`,
      )
    }
  }

  #lookForMissing(market: TrialMarket, gaps: Map<number, Gap[]>, firstMs: Map<number, number>): void {
    const ledger = this.#ledger
    for (const n of this.#ofMarket[market.index]!) {
      const missing = ledger.books(n) & ~this.#stored[n]!
      if (missing === 0) {
        this.#checked.stored++
        continue
      }
      const atMs = ledger.atMs(n)
      let isBefore = false
      for (const bit of bitsIn(missing)) {
        const first = firstMs.get(bit)
        if (first === undefined || atMs <= first) isBefore = true
        else if (!(gaps.get(bit) ?? []).some(({ from, to }) => from <= atMs && atMs <= to)) {
          this.#fail(this.#missing(market, n, bit, gaps.get(bit) ?? []))
        }
      }
      if (isBefore) this.#checked.beforeFirst++
      else this.#checked.withinGaps++
    }
  }

  #missing({ venue, market, tokens }: TrialMarket, n: number, bit: number, gaps: Gap[]): string {
    const atMs = this.#ledger.atMs(n)
    const near = gaps
      .toSorted((a, b) => Math.abs(a.from - atMs) - Math.abs(b.from - atMs))
      .slice(0, 2)
      .map(({ from, to, reason }) => `${reason} from ${from - atMs} to ${to - atMs} ms of it`)
    const book = tokens === null ? market : `${market} ${tokens[bit === BOOKS.first ? 0 : 1].slice(0, 6)}`
    const received = `${this.#ledger.deliveries(n)} connections received it`
    return `${venue} ${book}: message ${n} at ${atMs} is neither stored nor in a gap; ${received}; gaps: ${near.join(', ') || 'none'}`
  }

  /** Checks each message in a segment: it is acknowledged, so it must be stored. */
  async segments(folder: string): Promise<void> {
    for (const place of [newFolder(folder), loadedFolder(folder)]) {
      for (const name of segmentsBelow(place)) {
        const path = findSegment(place, name)!
        for (const n of numbersIn(await linesOf(path))) {
          this.#checked.acknowledged++
          const missing = this.#ledger.books(n) & ~this.#stored[n]!
          if (missing !== 0) this.#fail(`message ${n} is in segment ${name} and not in the store`)
        }
      }
    }
  }

  books({ market }: TrialMarket, wrong: string[]): void {
    for (const what of wrong) this.#fail(`${market}: ${what}`)
  }

  result(): Checked {
    if (this.#wrong.length === 0) return this.#checked
    const more = this.#wrong.length > REPORTED_MAX ? `\nand ${this.#wrong.length - REPORTED_MAX} more` : ''
    throw new Error(`${this.#wrong.slice(0, REPORTED_MAX).join('\n')}${more}\n${JSON.stringify(this.#checked)}`)
  }

  #fail(what: string): void {
    this.#wrong.push(what)
  }
}

function bitsOf({ tokens }: TrialMarket, { asset_id: token }: StoredRecord): number {
  if (tokens === null) return BOOKS.first
  if (token == null) return BOOKS.both
  return token === tokens[0] ? BOOKS.first : BOOKS.second
}

function bitsIn(bits: number): number[] {
  return [BOOKS.first, BOOKS.second].filter((bit) => (bits & bit) !== 0)
}

async function* recordsOf(store: Store, { venue, market }: TrialMarket): AsyncGenerator<StoredRecord> {
  for (const { date, head } of await store.catalogue.heads(venue, market)) {
    for (let offset = 0; offset < head.recordCount; offset += PAGE) {
      const { chunks } = await answerPage(store, { venue, market, book: null, limit: PAGE, scope: { date, offset } })
      const parts: Uint8Array[] = []
      for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value)
      yield* JSON.parse(Buffer.concat(parts).toString()) as StoredRecord[]
    }
  }
}

/** Returns the lines of complete zstd frames. The end of a segment that was not closed may be cut off. */
async function linesOf(path: string): Promise<string[]> {
  const stream = Bun.file(path)
    .stream()
    .pipeThrough(new DecompressionStream('zstd' as never))
  const parts: Uint8Array[] = []
  try {
    for await (const part of stream as unknown as AsyncIterable<Uint8Array>) parts.push(part)
  } catch (error) {
    if (!path.endsWith(PART_END)) throw error
  }
  const text = Buffer.concat(parts).toString()
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
}

function* numbersIn(lines: readonly string[]): Generator<number> {
  for (const line of lines) {
    if (!line.includes('"raw"')) continue
    for (const [, n] of line.matchAll(/\\"n\\":(\d+)/g)) yield Number(n)
  }
}
