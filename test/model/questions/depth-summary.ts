// Answers the levels of one book at the end of each bucket that an order-book summary has for the same request.

import { type Book, type Level, shownAsks, shownBids, unobserved } from '../book.ts'
import { decimal, ONE, quotient, smaller, toNumber } from '../exact.ts'
import { type Partition, recordsOf, stepsOf } from '../quotes.ts'
import { emittedBuckets, instantsOf, loadRange, type SummaryRequest } from '../summary.ts'
import { type PrintedLevel, printLevels } from './book-at.ts'
import { type ShownTrust, worstTrust } from './bucket-trust.ts'

export type DepthRequest = SummaryRequest & {
  /** Maximum number of levels per side. */
  levels: number
  /** Distances from mid, dollars, as texts from the request. */
  bands: string[]
  /** Contracts, as texts from the request. */
  sizes: string[]
}

export type DepthRow = {
  timestamp: number
  trust: ShownTrust
  bids: PrintedLevel[]
  asks: PrintedLevel[]
  bid_level_count: number
  ask_level_count: number
  bid_depth: number
  ask_depth: number
  imbalance: number | null
  microprice: number | null
  bid_depth_within: (number | null)[]
  ask_depth_within: (number | null)[]
  buy_price: (number | null)[]
  buy_filled: (number | null)[]
  sell_price: (number | null)[]
  sell_filled: (number | null)[]
}

// The book at the end of a bucket is the book after the last quote or gap in the bucket, so its best levels equal those
// of the order-book summary. The best price of a book that is only observed may have an unknown size.
export function depthSummary(partitions: Partition[], book: string, request: DepthRequest): DepthRow[] {
  const loaded = loadRange(partitions, book, request)
  const { range, changes, book: state } = loaded
  const steps = loaded.partitions.values().flatMap((partition) => stepsOf(state, recordsOf(partition, book)))
  let applied = 0
  const worst = worstTrust(loaded, book, request.inferredGaps)
  const rows = emittedBuckets(loaded, request).map((bucket) => {
    const [first, last] = instantsOf(bucket, loaded)
    while (applied < changes.length && changes[applied]!.time <= last) {
      steps.next()
      applied++
    }
    return depthRow(first / range.unitMs, state, worst(first, last), request)
  })
  return rows.filter(({ trust }) => request.trust?.includes(trust) ?? true)
}

const UNKNOWN = { price: null, filled: null }

function depthRow(timestamp: number, state: Book, trust: ShownTrust, { levels, bands, sizes }: DepthRequest): DepthRow {
  const bids = shownBids(state)
  const asks = shownAsks(state)
  const isBidKnown = unobserved(state, 'bid').length === 0
  const isAskKnown = unobserved(state, 'ask').length === 0
  const within = bands.map((band) => depthWithin(bids, asks, decimal(band)!))
  const buys = sizes.map((size) => (isAskKnown ? take(asks, decimal(size)!) : UNKNOWN))
  const sells = sizes.map((size) => (isBidKnown ? take(bids, decimal(size)!) : UNKNOWN))
  return {
    timestamp,
    trust,
    bids: printLevels(bids.slice(0, levels)),
    asks: printLevels(asks.slice(0, levels)),
    bid_level_count: bids.length,
    ask_level_count: asks.length,
    bid_depth: toNumber(sizeOf(bids)),
    ask_depth: toNumber(sizeOf(asks)),
    ...(isBidKnown && isAskKnown ? balance(bids[0], asks[0]) : balance(undefined, undefined)),
    bid_depth_within: within.map(({ bid }) => (isBidKnown ? bid : null)),
    ask_depth_within: within.map(({ ask }) => (isAskKnown ? ask : null)),
    buy_price: buys.map(({ price }) => price),
    buy_filled: buys.map(({ filled }) => filled),
    sell_price: sells.map(({ price }) => price),
    sell_filled: sells.map(({ filled }) => filled),
  }
}

const sizeOf = (levels: Level[]) => levels.reduce((sum, { size }) => sum + size, 0n)

/** Returns imbalance and microprice of the best levels. */
function balance(bid: Level | undefined, ask: Level | undefined) {
  if (bid === undefined || ask === undefined) return { imbalance: null, microprice: null }
  const both = bid.size + ask.size
  return {
    imbalance: quotient(bid.size - ask.size, both),
    microprice: quotient(bid.price * ask.size + ask.price * bid.size, both * ONE),
  }
}

/** Returns the depth within a band around mid. Compares doubled prices, because mid may be between two units. */
function depthWithin(bids: Level[], asks: Level[], band: bigint): { bid: number | null; ask: number | null } {
  const [bid, ask] = [bids[0], asks[0]]
  if (bid === undefined || ask === undefined) return { bid: null, ask: null }
  const twiceMid = bid.price + ask.price
  const near = {
    bids: bids.filter(({ price }) => 2n * price >= twiceMid - 2n * band),
    asks: asks.filter(({ price }) => 2n * price <= twiceMid + 2n * band),
  }
  return { bid: toNumber(sizeOf(near.bids)), ask: toNumber(sizeOf(near.asks)) }
}

/** Takes `wanted` contracts, or all if there are fewer, from the best level on. */
function take(levels: Level[], wanted: bigint): { price: number | null; filled: number } {
  let filled = 0n
  let cost = 0n
  for (const { price, size } of levels) {
    const taken = smaller(size, wanted - filled)
    filled += taken
    cost += taken * price
  }
  if (filled === 0n) return { price: null, filled: 0 }
  return { price: quotient(cost, filled * ONE), filled: toNumber(filled) }
}
