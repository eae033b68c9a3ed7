// Reads what was stored of a market since a position, as messages: at most a piece of one day at a time. A stream
// without a position, or whose past has changed, starts with the present state.

import { blockPart, type PartRef, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { type PartitionHead, spanStartOf } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { OrderBook } from '../book/order-book.ts'
import { consistently } from '../read/consistently.ts'
import { booksOfSwitch, switchesBefore } from '../read/source-switches.ts'
import { stepsOfBooks } from '../trust/trust-steps.ts'
import { FollowedBlock, needsBooks } from './follow-block.ts'
import type { Followed, FollowHead, FollowPosition, FollowRequest } from './follow-request.ts'
import { changeBefore, checksumOfEarlier, isAtEnd } from './fresh-position.ts'
import { MarketBooks } from './market-books.ts'
import { SentMessages } from './sent-messages.ts'
import { type Reset, type Start, writeState } from './state-messages.ts'
import { writeOpenQuotes, writeSwitch } from './write-switch.ts'

/** Where a piece ends: after this many bytes of messages, or records. `step` is the number of records to write at
 *  once. */
export type PieceLimits = { bytes: number; records: number; step: number }
const LIMITS: PieceLimits = { bytes: 512 * 1_024, records: 8_192, step: 256 }

export type FollowedPiece = { head: FollowHead; bytes: Uint8Array }

/** Reads the next piece of a market's stream. Rejects with DataError('block_corrupt'). */
export function followMarket(store: Store, request: FollowRequest, limits = LIMITS): Promise<FollowedPiece> {
  return consistently(store, request, async () => {
    const { venue, market, from } = request
    const { revision } = await store.catalogue.revision(venue, market)
    if (from === null) return present(store, request, revision, null)
    const place = await placeOf(store, { venue, market }, from)
    if ('reset' in place) return present(store, request, revision, place.reset)
    return changes(store, request, revision, { ...place, limits })
  })
}

/** Where a stream continues: the day, the position `from` in it, and the days before it. */
type Place = {
  /** Undefined if nothing is stored. */
  day: StoredDay | undefined
  before: Before
  from: { record: number; step: number }
  hasNext: boolean
}
/** The earlier days: their number of records, and the head and the closing books of the last one. */
type Before = { recordCount: number; head: PartitionHead | undefined; closing: Uint8Array | null }

async function placeOf(store: Store, of: Market, from: Followed): Promise<Place | { reset: Reset }> {
  const { venue, market } = of
  const start = { record: 0, step: 0 }
  const range = { from: from === 'nothing' ? '' : from.date, to: LAST_DATE }
  const since = await store.catalogue.heads(venue, market, range)
  const [first, second, third] = since
  if (from === 'nothing') {
    return { day: first, before: NOTHING_BEFORE, from: start, hasNext: second !== undefined }
  }
  const day = first?.date === from.date ? first : undefined
  const before = await beforeDay(store, of, from.date, since)
  const reset = changeBefore(from, day, checksumOfEarlier(before))
  if (reset !== undefined) return { reset }
  if (second === undefined || !isAtEnd(from, day!)) return { day, before, from, hasNext: second !== undefined }
  const recordCount = before.recordCount + day!.head.recordCount
  const closing = await closingOf(store, of, day)
  return { day: second, before: { recordCount, head: day!.head, closing }, from: start, hasNext: third !== undefined }
}

const NOTHING_BEFORE: Before = { recordCount: 0, head: undefined, closing: null }

const LAST_DATE = '9999-12-31'

type Market = Pick<FollowRequest, 'venue' | 'market'>

/** Returns what is stored before a date. `since` are the stored days from the date on. */
async function beforeDay(store: Store, of: Market, date: string, since: StoredDay[]): Promise<Before> {
  const { venue, market } = of
  const all = (await store.catalogue.market(venue, market))?.recordCount ?? 0
  const recordCount = since.reduce((left, { head }) => left - head.recordCount, all)
  const before = recordCount === 0 ? undefined : await store.catalogue.neighbour({ ...of, date }, 'before')
  return { recordCount, head: before?.head, closing: await closingOf(store, of, before) }
}

/** Returns the closing books of a stored day. */
async function closingOf(store: Store, of: Market, day: StoredDay | undefined): Promise<Uint8Array | null> {
  if (day === undefined) return null
  const key = { ...of, date: day.date }
  return (await store.blocks.fetch([{ key, kind: 'books' }])).books(key).closing
}

async function present(store: Store, request: FollowRequest, revision: number, reset: Reset | null) {
  const { venue, market } = request
  const last = (await store.catalogue.market(venue, market))?.lastDate
  const head = last === undefined ? undefined : await store.catalogue.head({ venue, market, date: last })
  const messages = new SentMessages({ record: 0, step: 0 })
  const kind = reset === null ? ('begin' as const) : ('reset' as const)
  const nothing: Start = { date: null, record: 0, closing: null, steps: new Map(), reset }
  if (last === undefined || head === undefined) {
    writeState(request, nothing, messages)
    return pieceOf(messages, { kind, revision, to: 'nothing', isEnd: true })
  }
  const key = { venue, market, date: last }
  const closing = await closingOf(store, { venue, market }, { date: last, head })
  const record = head.recordCount
  const steps = needsBooks(request.channels) ? stepsOfBooks({ date: last, head }) : new Map()
  readingOf(key, 'books', () => writeState(request, { date: last, record, closing, steps, reset }, messages))
  const earlier = checksumOfEarlier(await beforeDay(store, { venue, market }, last, [{ date: last, head }]))
  const to = { date: last, record, step: 0, revision: head.revision, earlier }
  return pieceOf(messages, { kind, revision, to, isEnd: true })
}

type BoundedPlace = Place & { limits: PieceLimits }

async function changes(store: Store, request: FollowRequest, revision: number, place: BoundedPlace) {
  const { day, before, from, hasNext } = place
  const messages = new SentMessages(from)
  if (day === undefined) return pieceOf(messages, { kind: 'changes', revision, to: 'nothing', isEnd: true })
  const { date, head } = day
  const end = await writeDay(store, request, place, day, messages)
  const isDayEnd = end >= head.recordCount
  const earlier = checksumOfEarlier(before)
  const to: FollowPosition = { date, record: end, step: 0, revision: head.revision, earlier }
  return pieceOf(messages, { kind: 'changes', revision, to, isEnd: isDayEnd && !hasNext })
}

/** Writes messages of a day. Returns the index after the last record written. */
async function writeDay(
  store: Store,
  request: FollowRequest,
  { from, before, hasNext, limits }: BoundedPlace,
  { date, head }: StoredDay,
  messages: SentMessages,
): Promise<number> {
  const { blocks } = head
  const key = { venue: request.venue, market: request.market, date }
  const isBooked = needsBooks(request.channels)
  // If the next record is the first after a switch, starts one block earlier, so that the switch is written first.
  const start = blocks.findLastIndex(({ firstRecord, begins }, i) =>
    begins === undefined || i === 0 ? firstRecord <= from.record : firstRecord < from.record,
  )
  if (start < 0 || from.record >= head.recordCount) return Math.max(from.record, 0)
  const upTo = from.record + limits.records
  const planned = blocks.slice(start).filter((entry, i) => i === 0 || entry.firstRecord < upTo)
  const state = isBooked && start > 0 ? statePart(blocks[start]!.stateId) : undefined
  // The state before the first block already has the books of that block's source, unless the block begins the day.
  const switches = planned.map((_, i) =>
    isBooked && (i > 0 || start === 0) ? switchesBefore({ date, head }, start + i, before.head) : [],
  )
  const refs: PartRef[] = [
    ...planned.map(({ id }): PartRef => ({ key, ...blockPart(id) })),
    ...switches.flat().map(({ part }): PartRef => ({ key, ...part })),
  ]
  const parts = await store.blocks.fetch(state === undefined ? refs : [...refs, { key, ...state }])
  const books = readingOf(key, 'books', () => {
    const bytes = state === undefined ? before.closing : parts.bytes(key, state)
    return new MarketBooks(isBooked ? bytes : null, { isDayStart: start === 0 })
  })
  const lastRecords = new Map<OrderBook, number>()
  const steps = isBooked ? stepsOfBooks({ date, head }) : new Map()
  let next = from.record
  for (const [i, entry] of planned.entries()) {
    if (messages.length >= limits.bytes || next >= upTo) break
    for (const found of switches[i]!) {
      const followed = { books, lastRecords, steps, head }
      readingOf(key, `state ${start + i}`, () =>
        writeSwitch(request, followed, { ...found, state: booksOfSwitch(parts, key, found) }, messages),
      )
    }
    readingOf(key, `block ${start + i}`, () => {
      const block = decodeBlock(parts.bytes(key, blockPart(entry.id)))
      const followed = new FollowedBlock(
        request,
        { block, firstRecord: entry.firstRecord, spanStart: spanStartOf(head, start + i) },
        { books, lastRecords, steps, head },
        messages,
      )
      const first = Math.max(0, next - entry.firstRecord)
      followed.pass(first)
      let end = first
      // Write a switch with the record after it, so that each piece makes progress.
      const isSwitch = switches[i]!.length > 0
      while (end < entry.recordCount && (messages.length < limits.bytes || (isSwitch && end === 0)) && next < upTo) {
        const step = Math.min(entry.recordCount, end + limits.step)
        followed.writeRecords(end, step)
        end = step
        next = entry.firstRecord + end
      }
      followed.leave(end)
    })
  }
  if (request.channels.includes('quotes')) {
    writeOpenQuotes(request, { books, lastRecords, steps, head, isOpen: next < head.recordCount || !hasNext }, messages)
  }
  books.release()
  return next
}

function pieceOf(messages: SentMessages, head: Pick<FollowHead, 'kind' | 'revision' | 'to' | 'isEnd'>): FollowedPiece {
  const { bytes, ...places } = messages.finish()
  return { head: { ...head, ...places }, bytes }
}
