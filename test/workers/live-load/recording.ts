// Generates a recording: messages of a venue about a few markets. Several connections each receive a part of them, and
// flush, commit and close their segments at random moments. The test sets the clock.

import { findSegment, loadedFolder, newFolder, type SegmentName } from '../../../workers/segment/segment-folder.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import type { Random } from '../../../workers/synthetic/random.ts'

export const START_MS = Date.UTC(2026, 7, 10, 23, 30)
export const TICKERS = ['KXLIVE-A', 'KXLIVE-B', 'KXLIVE-C']
export const CONDITION = `0x${'c0'.repeat(32)}`
export const ASSETS = ['101', '202']

export type VenueMessage = { ms: number; text: string; market: string }

/** Yields the venues' messages in order, without `sid` and `seq`: each connection adds its own. `withOld`: also repeats
 *  books of Polymarket that did not change. */
export function* venueMessages(random: Random, count: number, withOld = true): Generator<VenueMessage> {
  let ms = START_MS
  let number = 0
  const price = () => (random.between(1, 99) / 100).toFixed(4)
  const printed = () => String(random.between(1, 99) / 100)
  let lastBook: VenueMessage | undefined
  while (number < count) {
    ms += random.pick([0, 0, 0, 1, 1, 3, 20, 150, 900, 4_000])
    if (random.chance(0.01)) ms += 600_000
    const market = random.pick([...TICKERS, CONDITION, CONDITION])
    const kind = random.fraction()
    number++
    const messageOf = (message: object): VenueMessage => ({ ms, market, text: JSON.stringify(message) })
    if (market === CONDITION) {
      const shared = { market, timestamp: String(ms) }
      if (kind < 0.1) {
        const levels = () =>
          Array.from({ length: random.below(4) }, () => ({ price: printed(), size: `${random.between(1, 50)}` }))
        const book = { ...shared, asset_id: random.pick(ASSETS), hash: random.hex(8), bids: levels(), asks: levels() }
        lastBook = messageOf({ ...book, event_type: 'book' })
        yield lastBook
        continue
      }
      // Sends a book again unchanged, with the time of its last change.
      if (withOld && kind < 0.15 && lastBook !== undefined) {
        yield { ...lastBook, ms }
        continue
      }
      const entry = () => ({
        asset_id: random.pick(ASSETS),
        price: printed(),
        size: `${random.below(9)}`,
        side: random.pick(['BUY', 'SELL']),
      })
      const venueMessage = messageOf({
        ...shared,
        price_changes: Array.from({ length: random.between(1, 3) }, entry),
        event_type: 'price_change',
      })
      yield venueMessage
      // One batch of the venue may come in several frames that repeat a change.
      if (random.chance(0.1)) yield venueMessage
      continue
    }
    if (kind < 0.06) {
      const levels = () => Array.from({ length: random.below(4) }, () => [price(), `${random.between(1, 20)}.00`])
      yield messageOf({
        type: 'orderbook_snapshot',
        msg: { market_ticker: market, yes_dollars_fp: levels(), no_dollars_fp: levels() },
      })
    } else if (kind < 0.15) {
      const msg = {
        market_ticker: market,
        trade_id: `t${number}`,
        yes_price_dollars: price(),
        count_fp: '2.00',
        taker_side: 'yes',
      }
      yield messageOf({ type: 'trade', msg: { ...msg, ts_ms: ms } })
    } else {
      const msg = {
        market_ticker: market,
        price_dollars: price(),
        delta_fp: `${random.between(-6, 9)}.00`,
        side: random.pick(['yes', 'no']),
      }
      yield messageOf({ type: 'orderbook_delta', msg: { ...msg, ts_ms: ms } })
    }
  }
}

type ConnectionOptions = {
  recorder?: string
  connection?: string
  sid?: number
  latencyMs?: number
  nowMs?: () => number
  clock?: 'machine' | 'replay'
}

/** A connection that writes the messages that it receives to its segment. */
export class Connection {
  readonly segment: SegmentWriter
  readonly #latencyMs: number
  readonly #hasReceipts: boolean
  #seq = 0
  readonly #sid: number

  constructor(
    folder: string,
    { recorder = 'a', connection = 'c', sid = 1, latencyMs = 5, ...made }: ConnectionOptions,
  ) {
    const header = {
      venue: 'kalshi',
      recorder,
      connection,
      url: 'ws://test',
      useYesPrice: false,
      version: '1',
    } as const
    this.#sid = sid
    this.#latencyMs = latencyMs
    // A replay has no receipt times: it need not have received its messages.
    this.#hasReceipts = made.clock !== 'replay'
    const { nowMs = () => START_MS, clock = 'machine' } = made
    this.segment = new SegmentWriter(folder, { ...header, clock }, () => BigInt(nowMs()) * 1_000_000n)
  }

  receive({ ms, text }: VenueMessage): void {
    const venueMessage = JSON.parse(text) as { type?: string }
    const framed =
      venueMessage.type === undefined ? text : JSON.stringify({ ...venueMessage, sid: this.#sid, seq: ++this.#seq })
    const receivedMs = ms + this.#latencyMs
    const receivedNs = this.#hasReceipts ? BigInt(receivedMs) * 1_000_000n : null
    this.segment.frame(framed, receivedNs, BigInt(receivedMs - START_MS) * 1_000_000n)
  }
}

/** Returns the current path of a segment. */
export const pathOf = (folder: string, name: SegmentName): string =>
  (findSegment(loadedFolder(folder), name) ?? findSegment(newFolder(folder), name))!
