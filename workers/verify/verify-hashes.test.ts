// Goal: Polymarket's hashes are tried with every price that the last trade can have, and disagree only where no trade
// can be missing. The command, coverage and the book at an instant say the same.

import { expect, test } from 'bun:test'
import { withStore } from '../../test/support/store.ts'
import { bookAt } from '../instant/book-at.ts'
import { verifyHashes } from './verify-hashes.ts'

const MARKET = `0x${'5c'.repeat(32)}`
const NOON = Date.parse('2026-08-10T12:00:00Z')

type Levels = [price: string, size: string][]
type Sides = { bids: Levels; asks: Levels }
type Message = Record<string, unknown>

/** Prints levels as the venue does: bids ascend, asks descend. */
function printed({ bids, asks }: Sides) {
  const list = (levels: Levels) => levels.map(([price, size]) => ({ price, size }))
  return { bids: list(bids), asks: list(asks) }
}

/** `end` is what the recipe adds to the book. */
function hashOf(token: string, ms: number, book: Sides, end: Message): string {
  const named = { market: MARKET, asset_id: token, timestamp: String(NOON + ms), hash: '' }
  return Bun.SHA1.hash(JSON.stringify({ ...named, ...printed(book), ...end }), 'hex')
}

const AUTUMN = { min_order_size: '5', tick_size: '0.01', neg_risk: false }
const present = (price: string) => ({ ...AUTUMN, last_trade_price: price })

const message = (type: string, ms: number, more: Message): Message => ({
  ...{ event_type: type, market: MARKET, timestamp: String(NOON + ms) },
  ...more,
})
const snapshot = (token: string, ms: number, book: Sides, end: Message, said: Message = {}) =>
  message('book', ms, { asset_id: token, hash: hashOf(token, ms, book, end), ...printed(book), ...said })
const change = (ms: number, price: string, size: string, hash: string) =>
  message('price_change', ms, { price_changes: [{ asset_id: 'A', price, size, side: 'BUY', hash }] })
const trade = (ms: number, price: string) =>
  message('last_trade_price', ms, { asset_id: 'A', price, size: '50', side: 'SELL' })

const FULL: Sides = { bids: [['0.3', '50']], asks: [['0.4', '9']] }
const TAKEN: Sides = { bids: [], asks: [['0.4', '9']] }
const GROWN: Sides = { bids: [['0.2', '1']], asks: [['0.4', '9']] }
const START = snapshot('A', 0, FULL, present('0.250'), { tick_size: '0.01', last_trade_price: '0.250' })
const OTHER = snapshot('B', 0, TAKEN, present('0.250'))
/** The bid at 0.3 is taken, the last trade is at `price`. */
const taken = (price: string) => change(5_000, '0.3', '0', hashOf('A', 5_000, TAKEN, present(price)))
const grown = (ms: number, price: string) => change(ms, '0.2', '1', hashOf('A', ms, GROWN, present(price)))

/** Returns the counts of the command and of coverage, and whether the book of A is verified after each change. */
async function found(...messages: Message[]) {
  const all: unknown[] = []
  await withStore(async (made) => {
    const { store } = made
    await made.loadLines(
      'capture',
      messages.map((each) => JSON.stringify(each)),
    )
    const { agree, disagree, notCheckable } = await verifyHashes(store)
    const [day] = await store.catalogue.heads('polymarket', MARKET)
    const { hashesAgreed, hashesChecked } = day!.head.books.find(({ id }) => id === 'A')!.quality
    const places = messages.flatMap(({ event_type: type, asset_id: token }, record) =>
      type === 'last_trade_price' || token === 'B' ? [] : [record],
    )
    const verified: (boolean | null)[] = []
    for (const record of places) {
      const at = { date: '2026-08-10', record }
      const answer = await bookAt(store, { venue: 'polymarket', market: MARKET, book: 'A', at, depth: 10 })
      verified.push(answer.verified)
    }
    all.push({ command: [agree, disagree, notCheckable], coverage: [hashesAgreed, hashesChecked], verified })
  })
  return all[0]
}

test('a recipe without a trade needs no trade', async () => {
  const start = snapshot('A', 0, FULL, AUTUMN)
  const right = change(5_000, '0.3', '0', hashOf('A', 5_000, TAKEN, AUTUMN))
  const wrong = change(6_000, '0.2', '1', 'ab'.repeat(20))
  expect(await found(start, right)).toEqual({ command: [2, 0, 0], coverage: [2, 2], verified: [true, true] })
  expect(await found(start, right, wrong)).toEqual({
    ...{ command: [2, 1, 0], coverage: [2, 3] },
    verified: [true, true, null],
  })
})

test('the price of a trade that is never reported is a price of its batch', async () => {
  expect(await found(START, taken('0.300'))).toMatchObject({ command: [2, 0, 0], verified: [true, true] })
  // It is known from then on.
  const later = [taken('0.300'), grown(6_000, '0.300')]
  expect(await found(START, ...later)).toMatchObject({ command: [3, 0, 0], coverage: [3, 3] })
})

test('the price of a trade of the other token is one minus that of this one', async () => {
  expect(await found(START, taken('0.700'))).toMatchObject({ command: [2, 0, 0], verified: [true, true] })
  expect(await found(START, trade(4_000, '0.45'), taken('0.550'))).toMatchObject({
    ...{ command: [2, 0, 0], verified: [true, true] },
  })
})

test('a trade is reported up to a second later, also behind other changes', async () => {
  const late = (ms: number) => [taken('0.310'), grown(5_200, '0.310'), trade(ms, '0.31'), trade(9_000, '0.2')]
  expect(await found(START, ...late(6_000))).toEqual({
    ...{ command: [3, 0, 0], coverage: [3, 3] },
    verified: [true, true, true],
  })
  expect(await found(START, ...late(6_300))).toEqual({
    ...{ command: [2, 0, 1], coverage: [2, 2] },
    verified: [true, null, null],
  })
})

test('a hash disagrees where both tokens and the second after it are recorded', async () => {
  const lost = taken('0.310')
  expect(await found(START, OTHER, lost, trade(6_001, '0.2'))).toMatchObject({
    ...{ command: [2, 1, 0], coverage: [1, 2] },
    verified: [true, false],
  })
  expect(await found(START, OTHER, lost, trade(6_000, '0.2'))).toMatchObject({
    ...{ command: [2, 0, 1], coverage: [1, 1] },
    verified: [true, null],
  })
  expect(await found(START, lost, trade(6_001, '0.2'))).toMatchObject({
    ...{ command: [1, 0, 1], coverage: [1, 1] },
    verified: [true, null],
  })
})

test('a batch over several messages is one batch, also with changes of the other token between them', async () => {
  const hash = hashOf('A', 5_000, { bids: [], asks: [['0.4', '9']] }, present('0.310'))
  const first = change(5_000, '0.31', '0', hash)
  const between = message('price_change', 5_000, {
    price_changes: [
      { asset_id: 'B', price: '0.69', size: '0', side: 'SELL', hash: hashOf('B', 5_000, TAKEN, present('0.310')) },
    ],
  })
  const second = change(5_000, '0.3', '0', hash)
  const both = { bids: [...FULL.bids, ['0.31', '4']], asks: FULL.asks } as Sides
  const start = snapshot('A', 0, both, present('0.250'), { tick_size: '0.01', last_trade_price: '0.250' })
  const end = trade(9_000, '0.2')
  expect(await found(start, OTHER, first, between, second, end)).toMatchObject({ command: [4, 0, 1] })
})
