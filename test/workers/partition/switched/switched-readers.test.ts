// On a date that shows one source after another, exports, replays and streams get the books that a slow list of the
// book's events gives. Streams are read in pieces and resumed at any message.

import { afterAll, describe, expect, test } from 'bun:test'
import { MICROS } from '../../../../storage/units.ts'
import { VENUES, type Venue } from '../../../../storage/venue.ts'
import { ASK, BID } from '../../../../workers/book/ladder.ts'
import { heightOfLevel, isAskLevel, levelKey } from '../../../../workers/book/level-key.ts'
import type { OrderBook } from '../../../../workers/book/order-book.ts'
import type { PresentRecord } from '../../../../workers/export/book-events.ts'
import { type BookExport, passBook } from '../../../../workers/export/book-pass.ts'
import { followMarket, type PieceLimits } from '../../../../workers/follow/follow-market.ts'
import { CHANNELS, type Followed } from '../../../../workers/follow/follow-request.ts'
import { framesIn, RecordFrame } from '../../../../workers/replay/record-frames.ts'
import { replayPage } from '../../../../workers/replay/replay-page.ts'
import type { Position } from '../../../../workers/requests.ts'
import { changesOf, type Event, eventsOf, type ModelBook } from '../../../model/switched/switched-book.ts'
import { seeds } from '../../../run/effort.ts'
import { TestStore } from '../../../support/store.ts'
import { type MadeDay, madeDay } from '../../../support/switched/made-day.ts'
import { END_MS, START_MS } from '../../../support/switched/made-source.ts'
import { keyOf, storeDay, switchedDay } from '../../../support/switched/switched-day.ts'

const stores: TestStore[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
})

async function storedDay(venue: Venue, seed: number): Promise<MadeDay & { store: TestStore }> {
  const day = madeDay(venue, seed)
  const store = new TestStore()
  stores.push(store)
  await storeDay(store.store, switchedDay(venue, day.spans))
  return { ...day, store }
}

/** Collects the levels of the book after each event, with the time of the event. */
class Levels implements BookExport<string[]> {
  readonly states: string[] = []
  #sizes = new Map<number, number>()

  #note({ timeMs, record }: PresentRecord, kind: string): void {
    const levels = [...this.#sizes]
      .filter(([, size]) => size > 0)
      .map(([key, size]) => `${printed(key)} ${size / MICROS}`)
    this.states.push(`${timeMs} ${record < 0 ? null : record} ${kind} ${levels.sort()}`)
  }

  #replace(at: PresentRecord, kind: string, book: OrderBook): void {
    const sides = [BID, ASK] as const
    const levels = sides.flatMap((side) =>
      book.levels(side).map(([height, size]) => [levelKey(side, height), size] as const),
    )
    this.#sizes = new Map(levels)
    this.#note(at, kind)
  }

  opening = (at: PresentRecord, book: OrderBook) => this.#replace(at, 'opening', book)
  switched = (at: PresentRecord, book: OrderBook) => this.#replace(at, 'switch', book)
  snapshot = (at: PresentRecord, book: OrderBook) => this.#replace(at, 'snapshot', book)
  level = (_at: PresentRecord, key: number, now: number) => void this.#sizes.set(key, now)
  changed = (at: PresentRecord) => this.#note(at, 'delta')
  trade = (at: PresentRecord) => this.#note(at, 'trade')
  abort = () => undefined
  finish = () => this.states
  gap(at: PresentRecord): void {
    this.#sizes.clear()
    this.#note(at, at.record < 0 ? 'switch' : 'gap')
  }
}

const printed = (key: number): string => {
  const height = heightOfLevel(key)
  return isAskLevel(key) ? `ask ${(MICROS - height) / MICROS}` : `bid ${height / MICROS}`
}

function printedEvent({ ms, record, kind, after }: Event): string {
  return `${ms} ${record} ${kind} ${levelTexts(after).sort()}`
}

const levelTexts = ({ bids, asks }: ModelBook): string[] => [
  ...[...bids].map(([price, size]) => `bid ${price / 100} ${size}`),
  ...[...asks].map(([price, size]) => `ask ${price / 100} ${size}`),
]

describe.each(seeds(1, 6, 60))('seed %d', (seed) => {
  test.each(VENUES)('an export gets the books of %s', async (venue) => {
    const { store, spans, books } = await storedDay(venue, seed)
    for (const book of books) {
      const states = await passBook(store.store, { ...keyOf(venue), book }, () => new Levels())
      // An export does not report a change of a lost book.
      const events = eventsOf(spans, book).filter(({ kind, before }) => kind !== 'delta' || before.trust !== 'lost')
      expect(states).toEqual(events.map(printedEvent))
    }
  })

  test.each(VENUES)('a replay of %s gets a book of each switch, page after page', async (venue) => {
    const { store, spans, books } = await storedDay(venue, seed)
    const records = spans.flatMap(({ source, from, to }) => source.entries.slice(from, to))
    for (const limit of [7, 10_000]) {
      const frames = await replayed(store, venue, limit)
      const isBook = ({ record, text }: Replayed, i: number) => frames[i + 1]?.record === record && text !== ''
      expect(frames.filter((frame, i) => !isBook(frame, i)).map(({ ms }) => ms)).toEqual(records.map(({ ms }) => ms))
      const found = frames.filter(isBook).map(({ ms, text }) => `${ms} ${printedBook(JSON.parse(text) as Printed)}`)
      const switches = books.flatMap((book) =>
        eventsOf(spans, book).flatMap(({ kind, ms, before, after }) => {
          if (kind !== 'switch') return []
          // A book that the new source does not know is sent as empty, but only if the old source knew it.
          return isUnknown(after) && isUnknown(before) ? [] : [`${ms} ${levelTexts(after).sort()}`]
        }),
      )
      expect(found.sort()).toEqual(switches.sort())
    }
  })

  test.each(VENUES)('a stream gets the books of %s', async (venue) => {
    const { store, spans, books, random } = await storedDay(venue, seed)
    const limits: PieceLimits[] = [
      { bytes: 2 ** 20, records: 10_000, step: 256 },
      { bytes: 1, records: 100, step: 1 },
      { bytes: 900, records: 7, step: 3 },
    ]
    for (const each of limits) {
      const sent = await streamed(store, venue, 'nothing', each)
      expectStream(sent, venue, { spans, books, isWhole: each === limits[0] })
      const { position } = sent[random.below(sent.length)]!
      // A client that resumes between two messages of one channel and record gets all of them again.
      const isBehind = ({ place, date }: SentMessage) =>
        position !== 'nothing' && date === position.date && place >= CHANNELS.length * position.record + position.step
      const rest = sent.filter((each) => isBehind(each) && each.message.channel !== 'quotes')
      const resumed = await streamed(store, venue, position, each)
      expect(resumed.filter(({ message }) => message.channel !== 'quotes').map(({ message }) => message)).toEqual(
        rest.map(({ message }) => message),
      )
    }
  })
})

const isUnknown = ({ trust }: ModelBook): boolean => trust === 'unknown' || trust === 'lost'

type Replayed = { ms: number; record: number; text: string }
type Printed = Partial<Record<'bids' | 'asks', { price: string; size: string }[]>> &
  Partial<Record<'yes_dollars_fp' | 'no_dollars_fp', [string, string][]>>

function printedBook({ bids = [], asks = [], yes_dollars_fp: yes = [], no_dollars_fp: no = [] }: Printed): string {
  const levels = [
    ...bids.map(({ price, size }) => `bid ${Number(price)} ${Number(size)}`),
    ...asks.map(({ price, size }) => `ask ${Number(price)} ${Number(size)}`),
    ...yes.map(([price, size]) => `bid ${Number(price)} ${Number(size)}`),
    ...no.map(([price, size]) => `ask ${(100 - Math.round(100 * Number(price))) / 100} ${Number(size)}`),
  ]
  return String(levels.sort())
}

async function replayed(store: TestStore, venue: Venue, limit: number): Promise<Replayed[]> {
  const all: Replayed[] = []
  const request = {
    venue,
    market: keyOf(venue).market,
    fromMs: START_MS - 1_000,
    toMs: END_MS,
    text: 'message',
  } as const
  for (let after: Position | null = null; ; ) {
    const { head, frames } = await replayPage(store.store, { ...request, after, limit })
    for (const packed of frames.flatMap((bytes) => [...framesIn(bytes)])) {
      const frame = new RecordFrame(packed)
      for (let i = 0; i < frame.count; i++)
        all.push({ ms: frame.times[i]!, record: frame.records[i]!, text: frame.text(i) })
    }
    after = head.next
    if (after === null) return all
  }
}

type Message = Record<string, unknown> & { channel: string; type: string; timestamp: number; record: number | null }
/** `place` is a number for the record and the channel within the date. */
type SentMessage = { message: Message; position: Followed; place: number; date: string }
type Level = { side: 'bid' | 'ask'; price: number; before: number; after: number }

async function streamed(store: TestStore, venue: Venue, from: Followed, limits: PieceLimits): Promise<SentMessage[]> {
  const sent: SentMessage[] = []
  const { market } = keyOf(venue)
  for (let position: Followed = from; ; ) {
    const request = { venue, market, channels: CHANNELS, from: position }
    const { head, bytes } = await followMarket(store.store, request, limits)
    const { channels, records, starts, ends, to } = head
    starts.forEach((start, i) => {
      const text = `{"channel":"${CHANNELS[channels[i]!]}",${new TextDecoder().decode(bytes.subarray(start, ends[i]))}`
      // The server continues only at whole units: all messages of a channel for one record.
      const continues = records[i + 1] === records[i] && channels[i + 1] === channels[i]
      const after = to === 'nothing' ? to : { ...to, record: records[i]!, step: channels[i]! + (continues ? 0 : 1) }
      const place = CHANNELS.length * records[i]! + channels[i]!
      sent.push({ message: JSON.parse(text) as Message, position: after, place, date: to === 'nothing' ? '' : to.date })
    })
    position = to
    if (head.isEnd) return sent
  }
}

/** `isWhole` is false for a stream in pieces, which may send a quote that is still open and does not send it again. */
type Expected = Pick<MadeDay, 'spans' | 'books'> & { isWhole: boolean }

function expectStream(sent: readonly SentMessage[], venue: Venue, { spans, books, isWhole }: Expected): void {
  const messages = sent.map(({ message }) => message)
  const isOf = (message: Message, book: string) => venue === 'kalshi' || message['asset_id'] === book
  for (const book of books) {
    const events = eventsOf(spans, book)
    const levels: ModelBook = { trust: 'unknown', isDoubtful: false, bids: new Map(), asks: new Map() }
    const changes = events.filter(({ kind, before, after }) => {
      const isKnown = before.trust !== 'unknown' || after.trust !== 'unknown'
      return kind === 'snapshot' || (kind === 'switch' ? isKnown : kind === 'delta' && !isSame(before, after))
    })
    const own = messages.filter(
      (message) => message.channel === 'book' && message.type !== 'gap' && isOf(message, book),
    )
    const hasContent = (message: Message) => message.record !== null || (message['changes'] as Level[]).length > 0
    const wanted = changes.filter(({ record, before, after }) => record !== null || !isSame(before, after))
    expect(own.filter(hasContent).map(({ timestamp, record }) => [timestamp, record])).toEqual(
      wanted.map(({ ms, record }) => [ms, record]),
    )
    for (const [i, message] of own.filter(hasContent).entries()) {
      levels.bids = new Map(wanted[i]!.before.bids)
      levels.asks = new Map(wanted[i]!.before.asks)
      for (const { side, price, before, after } of message['changes'] as Level[]) {
        const sizes = side === 'bid' ? levels.bids : levels.asks
        expect(sizes.get(Math.round(100 * price)) ?? 0).toBe(before)
        if (after > 0) sizes.set(Math.round(100 * price), after)
        else sizes.delete(Math.round(100 * price))
      }
      expect(isSame(levels, wanted[i]!.after)).toBeTrue()
    }
    if (!isWhole) continue
    const quotes = messages.filter((message) => message.type === 'quote' && isOf(message, book))
    const complete = changesOf(events).filter(({ isQuote }) => isQuote)
    expect(quotes.map(({ timestamp }) => timestamp)).toEqual(complete.map(({ ms }) => ms))
  }
}

const isSame = (one: ModelBook, other: ModelBook): boolean =>
  Bun.deepEquals(sorted(one.bids), sorted(other.bids)) && Bun.deepEquals(sorted(one.asks), sorted(other.asks))
const sorted = (levels: ModelBook['bids']) => [...levels].sort(([a], [b]) => a - b)
