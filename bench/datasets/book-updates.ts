// Makes a Kalshi day as objects with absolute sizes, the form that other programs' books expect. Makes them from the
// raw records, so that they do not depend on backbook's own replay.

import type { Store } from '../../storage/open-store.ts'
import { answerPage } from '../../workers/read/answer-page.ts'
import type { BookUpdate, Level } from '../peers/installed-peers.ts'

export type StoredDay = { market: string; date: string; recordCount: number }
type PrintedLevels = [price: string, size: string][]
type Snapshot = { yes_dollars_fp?: PrintedLevels; no_dollars_fp?: PrintedLevels }
type Delta = { price_dollars: string; delta_fp: string; side: 'yes' | 'no'; ts: string }
type Raw = { type: 'snapshot'; msg: Snapshot } | { type: 'delta'; msg: Delta } | { type: 'trade' }

const PAGE_RECORDS = 20_000
const DOLLAR = 10_000

/** Updates of a book. `endsQuote` marks each update that completes a quote: a snapshot, or the last change of an
 *  instant. */
export type BookFeed = { updates: BookUpdate[]; endsQuote: boolean[] }

export async function bookUpdates(store: Store, day: StoredDay): Promise<BookFeed> {
  const sizes = { yes: new Map<number, number>(), no: new Map<number, number>() }
  const updates: BookUpdate[] = []
  const instants: (string | undefined)[] = []
  for await (const record of rawRecords(store, day)) {
    if (record.type === 'trade') continue
    const isSnapshot = record.type === 'snapshot'
    updates.push(isSnapshot ? snapshotOf(record.msg, sizes) : deltaOf(record.msg, sizes))
    instants.push(isSnapshot ? undefined : record.msg.ts)
  }
  const endsQuote = instants.map((instant, i) => instant === undefined || instant !== instants[i + 1])
  return { updates, endsQuote }
}

type Sizes = { yes: Map<number, number>; no: Map<number, number> }

function snapshotOf({ yes_dollars_fp = [], no_dollars_fp = [] }: Snapshot, sizes: Sizes): BookUpdate {
  const side = (levels: PrintedLevels, name: 'yes' | 'no') => {
    sizes[name].clear()
    return levels.map(([price, size]) => setLevel(sizes, name, price, Number(size)))
  }
  return { isSnapshot: true, bids: side(yes_dollars_fp, 'yes'), asks: side(no_dollars_fp, 'no') }
}

function deltaOf({ price_dollars, delta_fp, side }: Delta, sizes: Sizes): BookUpdate {
  const before = sizes[side].get(priceOf(price_dollars)) ?? 0
  const level = setLevel(sizes, side, price_dollars, Math.round((before + Number(delta_fp)) * 100) / 100)
  return { isSnapshot: false, bids: side === 'yes' ? [level] : [], asks: side === 'no' ? [level] : [] }
}

/** Sets a level. A bid for NO at p is an ask for YES at one dollar minus p. */
function setLevel(sizes: Sizes, side: 'yes' | 'no', printed: string, amount: number): Level {
  const price = priceOf(printed)
  sizes[side].set(price, amount)
  return { price: (side === 'yes' ? price : DOLLAR - price) / DOLLAR, amount }
}

const priceOf = (printed: string) => Math.round(Number(printed) * DOLLAR)

async function* rawRecords(store: Store, { market, date, recordCount }: StoredDay): AsyncGenerator<Raw> {
  for (let offset = 0; offset < recordCount; offset += PAGE_RECORDS) {
    const request = { venue: 'kalshi', market, book: null, limit: PAGE_RECORDS, scope: { date, offset } } as const
    const { chunks } = await answerPage(store, request)
    const parts = [...{ [Symbol.iterator]: () => chunks }]
    yield* JSON.parse(Buffer.concat(parts).toString()) as Raw[]
  }
}
