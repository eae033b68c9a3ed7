// Packs records for a replay into frames of up to 64 KB. Each frame is compressed on its own, so a page of a whole
// block needs a tenth of the memory while it waits, and is decompressed piece by piece. Values are read in place in the
// frame: no record becomes an object.
//
//   f64 day, f64 revision, u32 count, u32 text bytes
//   f64 times │ f64 received │ u32 ends │ u32 records │ u16 books │ u8 kinds │ text
//
// A page is a sequence of frames, packed with zstd, each after its length (u32). All numbers are little-endian.

import { dateStartMs, utcDate } from '../../storage/units.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'

const FRAME_BYTES = 64 * 1_024
const HEAD_BYTES = 24
const LENGTH_BYTES = 4
/** Bytes of a record besides its text. */
const RECORD_BYTES = 8 + 8 + 4 + 4 + 2 + 1
const LEVEL_1 = { level: 1 } as const

/** Added to the kind of a record whose text is the whole message of the venue, not only the part under `msg`. */
export const WHOLE = 0x80

type FrameDay = { date: string; revision: number }

export class FrameWriter {
  /** Receives the text of the next record. */
  readonly text = new ByteWriter(2 * FRAME_BYTES)
  readonly frames: Uint8Array[] = []
  /** Bytes of all packed frames. */
  packedBytes = 0
  readonly #times: number[] = []
  readonly #received: number[] = []
  readonly #ends: number[] = []
  readonly #records: number[] = []
  readonly #books: number[] = []
  readonly #kinds: number[] = []
  #day: FrameDay = { date: '1970-01-01', revision: 0 }

  /** Starts a date. All records until the next call belong to this date, and to this revision of its partition. */
  begin(day: FrameDay): void {
    this.#flush()
    this.#day = day
  }

  /** Adds the record whose text was written last. `receivedMs` is negative if unknown. */
  add(timeMs: number, receivedMs: number, record: number, book: number, kind: number): void {
    this.#times.push(timeMs)
    this.#received.push(receivedMs)
    this.#ends.push(this.text.length)
    this.#records.push(record)
    this.#books.push(book)
    this.#kinds.push(kind)
    if (this.text.length >= FRAME_BYTES) this.#flush()
  }

  /** Returns the frames, each after its length. */
  finish(): Uint8Array[] {
    this.#flush()
    return this.frames
  }

  #flush(): void {
    const count = this.#times.length
    if (count === 0) return
    const textBytes = this.text.length
    const bytes = new Uint8Array(HEAD_BYTES + count * RECORD_BYTES + textBytes)
    const view = new DataView(bytes.buffer)
    view.setFloat64(0, dateStartMs(this.#day.date), true)
    view.setFloat64(8, this.#day.revision, true)
    view.setUint32(16, count, true)
    view.setUint32(20, textBytes, true)
    const columns = new FrameColumns(bytes, count)
    columns.times.set(this.#times)
    columns.received.set(this.#received)
    columns.ends.set(this.#ends)
    columns.records.set(this.#records)
    columns.books.set(this.#books)
    columns.kinds.set(this.#kinds)
    bytes.set(this.text.bytes.subarray(0, textBytes), HEAD_BYTES + count * RECORD_BYTES)
    const packed = Bun.zstdCompressSync(bytes, LEVEL_1)
    const frame = new Uint8Array(LENGTH_BYTES + packed.length)
    new DataView(frame.buffer).setUint32(0, packed.length, true)
    frame.set(packed, LENGTH_BYTES)
    release(bytes)
    release(packed)
    this.frames.push(frame)
    this.packedBytes += frame.length
    this.text.length = 0
    for (const column of [this.#times, this.#received, this.#ends, this.#records, this.#books, this.#kinds]) {
      column.length = 0
    }
  }
}

class FrameColumns {
  readonly times: Float64Array
  readonly received: Float64Array
  readonly ends: Uint32Array
  readonly records: Uint32Array
  readonly books: Uint16Array
  readonly kinds: Uint8Array

  constructor({ buffer, byteOffset }: Uint8Array, count: number) {
    let at = byteOffset + HEAD_BYTES
    const next = (bytes: number) => {
      at += bytes * count
      return at - bytes * count
    }
    this.times = new Float64Array(buffer, next(8), count)
    this.received = new Float64Array(buffer, next(8), count)
    this.ends = new Uint32Array(buffer, next(4), count)
    this.records = new Uint32Array(buffer, next(4), count)
    this.books = new Uint16Array(buffer, next(2), count)
    this.kinds = new Uint8Array(buffer, next(1), count)
  }
}

/** An open frame. Record i has `times[i]` and so on; its text ends at `ends[i]`. */
export class RecordFrame extends FrameColumns {
  readonly count: number
  readonly date: string
  readonly revision: number
  readonly #bytes: Uint8Array
  readonly #text: Buffer

  constructor(packed: Uint8Array) {
    const bytes = aligned(Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const count = view.getUint32(16, true)
    super(bytes, count)
    this.count = count
    this.#bytes = bytes
    this.date = utcDate(view.getFloat64(0, true))
    this.revision = view.getFloat64(8, true)
    const start = bytes.byteOffset + HEAD_BYTES + count * RECORD_BYTES
    this.#text = Buffer.from(bytes.buffer as ArrayBuffer, start, view.getUint32(20, true))
  }

  /** Frees the frame, which must not be read any more. */
  close(): void {
    release(this.#bytes)
  }

  text(record: number): string {
    return this.#text.toString('utf8', record === 0 ? 0 : this.ends[record - 1], this.ends[record])
  }
}

/** Columns of doubles must start at multiples of eight bytes. */
const aligned = (bytes: Uint8Array): Uint8Array => (bytes.byteOffset % 8 === 0 ? bytes : bytes.slice())

/** Frees bytes that are not read any more. The runtime would free them too late: replays reach hundreds of megabytes a
 *  second. */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0)
}

/** Yields the packed frames of a page, in order. */
export function* framesIn(page: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (let at = 0; at < page.length; ) {
    const start = at + LENGTH_BYTES
    at = start + view.getUint32(at, true)
    yield page.subarray(start, at)
  }
}
