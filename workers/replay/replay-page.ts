// Reads the next records of one market for a replay, as frames. Starts at a time or a position, and reads at most
// about one block.

import { blockPart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock, unpackInts } from '../../storage/format/block.ts'
import { type BlockEntry, startMsOf } from '../../storage/format/partition-head.ts'
import { RECORD_KINDS } from '../../storage/format/shape.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { utcDate } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { type DecodedBlock, decodeFirstRecords } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { consistently } from '../read/consistently.ts'
import { requireFresh } from '../read/plan-page.ts'
import { booksOfSwitch, type SourceSwitch, switchesBefore } from '../read/source-switches.ts'
import type { Position } from '../requests.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { StepList } from '../table/row-steps.ts'
import { writeRow } from '../table/row-writer.ts'
import { isKnownAt, trustSteps } from '../trust/trust-steps.ts'
import { MEANINGS } from '../venues.ts'
import { bookMessages } from './book-message.ts'
import { FrameWriter, WHOLE } from './record-frames.ts'
import { reforms } from './socket-form.ts'

export type ReplayPageRequest = {
  venue: Venue
  market: string
  /** Range of event times, both ends inclusive, Unix ms. */
  fromMs: number
  toMs: number
  /** Position at which the page before ended; null for the first page. */
  after: Position | null
  /** Maximum number of records in the page. */
  limit: number
  /** What to write as text. `message`: the venue's message (`msg`) as it is stored. `socket`: the same message in the
   *  form that the venue's socket uses now. `record`: the record as raw endpoints write it. */
  text: 'message' | 'socket' | 'record'
}

export type ReplayPageHead = {
  /** Position of the next page; null if no record follows. */
  next: Position | null
  /** Ids of the books. A record's `book` is the index of its id in this list plus one, or 0 if the record is about the
   *  whole market. */
  books: string[]
}

export type ReplayPage = { head: ReplayPageHead; frames: Uint8Array[] }

/** A page ends when its packed frames reach this size, so that it is sent in one piece. */
const PACKED_BYTES_MAX = 768 * 1_024
/** Maximum number of days to search for one page. */
const DAYS_MAX = 64
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** Returns a page, which is empty if the market has no stored records. Rejects with DataError: block_corrupt,
 *  cursor_stale. */
export function replayPage(store: Store, request: ReplayPageRequest): Promise<ReplayPage> {
  return consistently(store, request, async () => {
    const page = new PageBuilder(store, request)
    let day = await firstDay(store, request)
    let before = day && (await store.catalogue.neighbour(keyOf(request, day.date), 'before'))
    for (let days = 0; day !== undefined && day.date <= utcDate(request.toMs); days++) {
      if (days === DAYS_MAX) return page.endingAt({ date: day.date, record: 0, revision: day.head.revision })
      const full = await page.addDay(day, before)
      if (full !== undefined) return page.endingAt(full)
      before = day
      day = await store.catalogue.neighbour(keyOf(request, day.date), 'after')
    }
    return page.endingAt(null)
  })
}

const keyOf = ({ venue, market }: ReplayPageRequest, date: string): PartitionKey => ({ venue, market, date })

async function firstDay({ catalogue }: Store, request: ReplayPageRequest): Promise<StoredDay | undefined> {
  const { after, fromMs } = request
  const date = after?.date ?? utcDate(fromMs)
  const head = await catalogue.head(keyOf(request, date))
  if (after !== null) requireFresh(head === undefined ? [] : [{ date, head }], after)
  return head === undefined ? catalogue.neighbour(keyOf(request, date), 'after') : { date, head }
}

class PageBuilder {
  readonly #store: Store
  readonly #request: ReplayPageRequest
  readonly #frames = new FrameWriter()
  readonly #books: string[] = []
  /** A stored message before its conversion. */
  readonly #scratch = new ByteWriter(1_024)
  #count = 0

  constructor(store: Store, request: ReplayPageRequest) {
    this.#store = store
    this.#request = request
  }

  endingAt(next: Position | null): ReplayPage {
    return { head: { next, books: this.#books }, frames: this.#frames.finish() }
  }

  /** Adds a day; `before` is the stored day before it. Returns undefined if the page then has all requested records of
   *  the day. Otherwise returns the position of the first missing record. */
  async addDay(day: StoredDay, before: StoredDay | undefined): Promise<Position | undefined> {
    const { date, head } = day
    const { after, fromMs, toMs } = this.#request
    const fromRecord = after !== null && after.date === date ? after.record : 0
    this.#frames.begin({ date, revision: head.revision })
    const days = before === undefined ? [day] : [before, day]
    for (const [index, entry] of head.blocks.entries()) {
      for (const found of switchesBefore(day, index, before?.head)) {
        const isWanted = found.atMs >= fromMs && found.atMs <= toMs && fromRecord <= found.firstRecord
        if (isWanted && !this.#isFull) await this.#addBooks(days, found)
      }
      if (startMsOf(entry) > toMs) break
      if (entry.lastMs < fromMs || entry.firstRecord + entry.recordCount <= fromRecord) continue
      if (this.#isFull) return { date, record: Math.max(fromRecord, entry.firstRecord), revision: head.revision }
      const stopped = await this.#addBlock(keyOf(this.#request, date), index, entry, fromRecord)
      if (stopped !== undefined) return { date, record: stopped, revision: head.revision }
    }
    return undefined
  }

  /** Adds the books of the new source at a switch. `days` are the stored day before, if there is one, and the day
   *  that switches. */
  async #addBooks(days: readonly StoredDay[], found: SourceSwitch): Promise<void> {
    if (this.#request.text === 'record') return
    const key = keyOf(this.#request, days.at(-1)!.date)
    const { atMs, firstRecord, part } = found
    const parts = await this.#store.blocks.fetch([{ key, ...part }])
    const state = readingOf(key, 'state', () => booksOfSwitch(parts, key, found))
    const ids = new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))
    const known = [...ids].filter((id) => isKnownAt(trustSteps(days, id), atMs - 1))
    const kind = RECORD_KINDS.indexOf('snapshot') | (MEANINGS[key.venue].socket?.isBookWhole === true ? WHOLE : 0)
    for (const { id, text } of await bookMessages(this.#store, key, { atMs, state, known })) {
      this.#frames.text.write(encoder.encode(text))
      this.#frames.add(atMs, -1, firstRecord, this.#numberOf(id), kind)
    }
  }

  get #isFull(): boolean {
    return this.#count >= this.#request.limit || this.#frames.packedBytes >= PACKED_BYTES_MAX
  }

  /** Adds a block. Returns undefined if the page then has all requested records of the block. Otherwise returns the
   *  number of the first missing record. */
  async #addBlock(key: PartitionKey, index: number, entry: BlockEntry, fromRecord: number) {
    const { fromMs, toMs, limit } = this.#request
    const part = blockPart(entry.id)
    const parts = await this.#store.blocks.fetch([{ key, ...part }])
    const decode = () => {
      const block = decodeBlock(parts.bytes(key, part))
      const times = unpackInts(block.timesMs, block.recordCount)
      let first = Math.max(0, fromRecord - entry.firstRecord)
      while (first < times.length && times[first]! < fromMs) first++
      let end = first
      while (end < times.length && times[end]! <= toMs && this.#count + end - first < limit) end++
      const isCut = end < times.length && times[end]! <= toMs
      return { decoded: end === first ? undefined : decodeFirstRecords(block, end), first, end, isCut }
    }
    const { decoded, first, end, isCut } = readingOf(key, `block ${index}`, decode)
    if (decoded === undefined) return isCut ? entry.firstRecord + end : undefined
    const written = this.#write(decoded, entry.firstRecord, first, end)
    return written < end || isCut ? entry.firstRecord + written : undefined
  }

  /** Writes records, and returns the index after the last one. */
  #write(decoded: DecodedBlock, firstRecord: number, first: number, end: number): number {
    const { venue, market, text } = this.#request
    const { timesMs, books, shapeIndexes, rows, shapes } = decoded
    const numbers = [0, ...decoded.bookIds.map((id) => this.#numberOf(id))]
    const kinds = shapes.map(
      ({ shape }) => RECORD_KINDS.indexOf(shape.kind) + (shape.envelopeType === null ? WHOLE : 0),
    )
    const write = text === 'record' ? recordsOf(new RecordWriter(venue, market, decoded)) : messagesOf(decoded)
    const textOf = (record: number) => this.#textOf(write, record)
    const reform = text === 'socket' ? reforms(venue, market, decoded, textOf) : []
    for (let record = first; record < end; record++) {
      const shape = shapeIndexes[record]!
      // Skip a covered gap. The venue did not send this record, and the gap ends no book, because another recorder
      // covers it.
      if (text !== 'record' && shapes[shape]!.shape.isCovered === true) continue
      let kind = kinds[shape]!
      const reformed = reform[shape]?.(textOf(record))
      if (reformed === null) continue
      if (reformed === undefined) write(this.#frames.text, record)
      else {
        this.#frames.text.write(encoder.encode(reformed.text))
        kind = reformed.isWhole ? kind | WHOLE : kind & ~WHOLE
      }
      const receivedMs = shapes[shape]!.receivedMs?.[rows[record]!] ?? -1
      this.#frames.add(timesMs[record]!, receivedMs, firstRecord + record, numbers[books[record]!]!, kind)
      this.#count++
      if (this.#frames.packedBytes >= PACKED_BYTES_MAX) return record + 1
    }
    return end
  }

  #textOf(write: WriteText, record: number): string {
    this.#scratch.length = 0
    write(this.#scratch, record)
    return decoder.decode(this.#scratch.bytes.subarray(0, this.#scratch.length))
  }

  #numberOf(id: string): number {
    const index = this.#books.indexOf(id)
    return index >= 0 ? index + 1 : this.#books.push(id)
  }
}

type WriteText = (writer: ByteWriter, record: number) => void

const recordsOf =
  (records: RecordWriter): WriteText =>
  (writer, record) =>
    records.write(writer, record)

function messagesOf({ shapes, shapeIndexes, rows }: DecodedBlock): WriteText {
  const steps = shapes.map((shape) => new StepList().parts(shape.shape.parts, shape).finish())
  return (writer, record) => writeRow(writer, steps[shapeIndexes[record]!]!, rows[record]!)
}
