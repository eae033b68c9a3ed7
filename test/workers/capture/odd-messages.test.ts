// Any JSON in a venue's message is read back deep-equal, before and after its partition is rewritten.

import { describe, expect, test } from 'bun:test'
import { utcDate } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { dateRequest, type TestStore, withStore } from '../../support/store.ts'
import { CONDITION, NOON, OddMessages, TICKER } from './odd-messages.ts'

const LINES = 40
const STORED_WITHOUT_ENVELOPE = ['orderbook_snapshot', 'orderbook_delta', 'trade']

/** Loads the messages as two captures, the later half first, so that the program merges the partition. */
async function check(messages: string[]): Promise<void> {
  await withStore(async (store) => {
    for (const part of [messages.slice(messages.length >> 1), messages]) {
      expect(await store.loadLines(`odd-${part.length}`, part)).toMatchObject({ rejected: 0, error: null })
      await expectStored(store, part)
    }
  })
}

async function expectStored(store: TestStore, messages: string[]): Promise<void> {
  const values = messages.map((message) => JSON.parse(message))
  const [polymarket, kalshi] = [true, false].map((isIt) =>
    values.filter(({ market }) => (market === CONDITION) === isIt),
  )
  const records = await recordsOf(store, 'kalshi', TICKER)
  // If a message is not a book that can be stored, its envelope is stored too.
  const isWhole = (type: string, index: number) =>
    !STORED_WITHOUT_ENVELOPE.includes(type) || records[index]?.type === 'other'
  const expectedMessages = kalshi!.map((value, index) => (isWhole(value.type, index) ? value : value.msg))
  expect<object[]>(records.map(({ msg }) => msg)).toEqual(expectedMessages)
  expect<object[]>((await recordsOf(store, 'polymarket', CONDITION)).map(({ msg }) => msg)).toEqual(polymarket!)
}

const recordsOf = async (store: TestStore, venue: Venue, market: string) =>
  (await store.dates(venue, market)).length === 0 ? [] : store.records(venue, market, utcDate(NOON))

const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
test.each(seeds)('generated and mutated messages, seed %d', (seed) => {
  const odd = new OddMessages(seed)
  return check(Array.from({ length: LINES }, (_, index) => odd.next(index)))
})

const delta = (extra: string, seq = '7') =>
  `{"type":"orderbook_delta","sid":1,"seq":${seq},"msg":{"market_ticker":"${TICKER}","price_dollars":"0.5000","delta_fp":"1.00","side":"yes","ts_ms":${NOON}${extra}}}`
const change = (body: string) => `{"market":"${CONDITION}","event_type":"price_change","timestamp":"${NOON}",${body}}`
const book = (body: string) =>
  `{"market":"${CONDITION}","event_type":"book","asset_id":"A","timestamp":"${NOON}",${body}}`
const level = '{"price":"0.5","size":"1"}'
const entry = '{"asset_id":"A","price":"0.5","size":"1","side":"BUY"}'

describe('stored unchanged:', () => {
  test.each([
    ['an unknown type', `{"type":"fee_change","sid":2,"msg":{"market_ticker":"${TICKER}","ts_ms":${NOON},"fee":[]}}`],
    ['an unknown event', change('"x":1').replace('price_change', 'comment')],
    ['an extra key', delta(',"note":""')],
    ['the empty key', change(`"price_changes":[${entry}],"":"x"`)],
    ['a key twice', delta(',"a":1,"a":{"b":2}')],
    ['__proto__', delta(',"__proto__":{"a":1}')],
    ['keys with points and brackets', delta(',"msg.side":"x","a[]":1,"bids[].price":"2"')],
    ['a mixed list', delta(',"list":[1,"a",null,[2],{"b":3}]')],
    ['a list of empty lists', delta(',"list":[[],[]]')],
    ['numbers beyond doubles', delta(',"a":123456789012345678901234567890,"b":1e400,"c":-0,"d":1E5')],
    ['dates beyond microseconds', delta(',"a":"9999-12-31T23:59:59.999999Z","b":"1000-01-01T00:00:00.000001Z"')],
    ['escapes', delta(',"a":"\\u00e9\\n\\"\\\\\\/\\ud83d"')],
    ['unicode', delta(',"é漢":"🙂"')],
    ['nesting', delta(`,"a":${'['.repeat(400)}${']'.repeat(400)}`)],
    ['many keys', delta(Array.from({ length: 700 }, (_, index) => `,"k${index}":${index}`).join(''))],
    ['levels of two spellings', book(`"bids":[${level},{"size":"1","price":".48"}],"asks":[]`)],
    ['an empty book', book('"bids":[],"asks":[]')],
    ['null for a level', book(`"bids":[${level},null],"asks":[]`)],
    ['a text for a level', book('"bids":["0.5"],"asks":[]')],
    ['a list for a level', book(`"bids":[],"asks":[[0.5,1]]`)],
    ['null for the levels', book('"bids":null,"asks":null')],
    ['a text for the levels', book('"bids":"none","asks":[]')],
    ['the levels twice, then as a text', book(`"bids":[${level}],"asks":[],"bids":"0.5"`)],
    ['the levels twice, then others', book(`"bids":[${level}],"asks":[],"bids":[{"price":"0.25","size":"2"}]`)],
    ['the message twice', delta('').replace('"msg":', '"msg":{"market_ticker":"KXOTHER","ts_ms":1},"msg":')],
    ['no entries', change('"price_changes":[]')],
    ['an entry that is null', change(`"price_changes":[null]`)],
    ['null for the entries', change('"price_changes":null')],
    ['the oldest form', change('"asset_id":"A","price":".48","side":"BUY","size":"3","hash":"ab"')],
    ['a level that is empty', snapshot('[["0.5000","1.00"]]', '[[]]')],
    ['a level that is a number', snapshot('[48]', '[]')],
    ['a level of two types', snapshot('[["0.5000",1],["0.4000","2.00"]]', '[]')],
  ])('%s', (_name, message) => check([message, delta(''), change(`"price_changes":[${entry}]`)]))
})

test('the last of two lists of levels with one key counts', () =>
  withStore(async (store) => {
    await store.loadLines('twice', [book(`"bids":[${level}],"asks":[],"bids":[{"price":"0.25","size":"2"}]`)])
    const [bucket] = (await store.summary(dateRequest('polymarket', CONDITION, 'A', utcDate(NOON), 3_600))) as object[]
    expect(bucket).toMatchObject({ best_bid: 0.25, best_bid_ohlc: { high: 0.25 } })
  }))

function snapshot(yes: string, no: string): string {
  const msg = `{"market_ticker":"${TICKER}","yes_dollars_fp":${yes},"no_dollars_fp":${no},"ts_ms":${NOON}}`
  return `{"type":"orderbook_snapshot","sid":1,"seq":7,"msg":${msg}}`
}

describe('sid and seq', () => {
  /** Checks `seq` of each record, or of its message if the message was stored whole. */
  async function checkNumbers(seqs: string[], expected: (number | null)[]): Promise<void> {
    await withStore(async (store) => {
      for (const name of ['first', 'again'])
        await store.loadLines(name, [...seqs.map((seq) => delta('', seq)), delta(`,"load":"${name}"`)])
      const records = (await store.records('kalshi', TICKER, utcDate(NOON))).slice(0, seqs.length)
      const numbers = records.map(({ seq, msg }) => (seq ?? (msg as { seq?: number }).seq ?? null) as number | null)
      expect(numbers).toEqual(expected)
    })
  }

  test('whole numbers', () => checkNumbers(['1', '2', '9007199254740991'], [1, 2, 9_007_199_254_740_991]))
  test('one that is not a whole number does not affect the others', () => checkNumbers(['5', '1.5', '6'], [5, 1.5, 6]))
  test('one beyond doubles', () => checkNumbers(['5', '1e30', '6'], [5, 1e30, 6]))
  test('a negative one', () => checkNumbers(['5', '-1', '6'], [5, -1, 6]))
  test('none', () => checkNumbers(['null', '6'], [null, 6]))
})
