// Writes records as JSON: the envelope that is the same for both venues, and the message as the venue sent it.

import type { Venue } from '../../storage/venue.ts'
import { ByteWriter } from './byte-writer.ts'
import type { DecodedBlock, DecodedShape } from './decoded-block.ts'
import { type BytePart, byteParts, writeInteger, writeMessage } from './message-writer.ts'

const encoder = new TextEncoder()
const TIMESTAMP = encoder.encode(',"timestamp":')
const RECEIVED_AT = encoder.encode(',"received_at":')
const SID = encoder.encode(',"sid":')
const SEQ = encoder.encode(',"seq":')
const MSG = encoder.encode(',"msg":')
const NULL = encoder.encode('null')
const CLOSE = 0x7d

export class RecordWriter {
  readonly #venue: Venue
  readonly #block: DecodedBlock
  readonly #heads: Uint8Array[]
  readonly #parts: BytePart[][]
  /** `,"ticker":"…"` or `,"asset_id":…` of each book number; 0 is the whole market. */
  readonly #books: Uint8Array[]

  constructor(venue: Venue, market: string, block: DecodedBlock) {
    this.#venue = venue
    this.#block = block
    this.#heads = block.shapes.map(({ shape }) => encoder.encode(`{"type":"${shape.kind}"`))
    this.#parts = block.shapes.map(({ shape }) => byteParts(shape.parts))
    const name = (id: string | null) =>
      encoder.encode(venue === 'kalshi' ? `,"ticker":${JSON.stringify(market)}` : `,"asset_id":${JSON.stringify(id)}`)
    this.#books = [name(null), ...block.bookIds.map(name)]
  }

  write(writer: ByteWriter, record: number): void {
    const { shapeIndexes, rows, timesMs, books, shapes } = this.#block
    const shapeIndex = shapeIndexes[record]!
    const row = rows[record]!
    const shape = shapes[shapeIndex]!
    writer.write(this.#heads[shapeIndex]!)
    writer.write(TIMESTAMP)
    writeInteger(writer, timesMs[record]!)
    writer.write(RECEIVED_AT)
    writeNullable(writer, shape.receivedMs, row)
    writer.write(this.#books[books[record]!]!)
    if (this.#venue === 'kalshi') {
      writer.write(SID)
      writeNullable(writer, shape.sid, row)
      writer.write(SEQ)
      writeNullable(writer, shape.seq, row)
    }
    writer.write(MSG)
    writeMessage(writer, this.#parts[shapeIndex]!, shape, row)
    writer.writeByte(CLOSE)
  }
}

/** Writes records as lines of a capture, from which they can be loaded again. */
export class CaptureLineWriter {
  readonly #venue: Venue
  readonly #market: string
  readonly #block: DecodedBlock
  readonly #parts: BytePart[][]
  readonly #writer = new ByteWriter(4_096)

  constructor(venue: Venue, market: string, block: DecodedBlock) {
    this.#venue = venue
    this.#market = market
    this.#block = block
    this.#parts = block.shapes.map(({ shape }) => byteParts(shape.parts))
  }

  /** The line without its line feed. Valid until the next call. */
  line(record: number): Uint8Array {
    const writer = this.#writer
    const shapeIndex = this.#block.shapeIndexes[record]!
    const row = this.#block.rows[record]!
    const shape = this.#block.shapes[shapeIndex]!
    writer.length = 0
    if (shape.receivedMs !== undefined) writer.write(encoder.encode(`{"recv_ms":${shape.receivedMs[row]},"event":`))
    writer.write(encoder.encode(this.#envelope(shape, row, record)))
    writeMessage(writer, this.#parts[shapeIndex]!, shape, row)
    if (shape.shape.envelopeType !== null) writer.write(encoder.encode('}'))
    if (shape.receivedMs !== undefined) writer.write(encoder.encode('}'))
    return writer.bytes.subarray(0, writer.length)
  }

  #envelope({ shape, sid, seq }: DecodedShape, row: number, record: number): string {
    if (shape.envelopeType === null) return ''
    if (shape.envelopeType === 'gap') {
      const book = this.#block.books[record]!
      const asset =
        this.#venue === 'polymarket' && book > 0 ? `"asset_id":${JSON.stringify(this.#block.bookIds[book - 1])},` : ''
      return `{"type":"gap","venue":"${this.#venue}","market":"${this.#market}",${asset}"msg":`
    }
    const sidText = sid === undefined || sid[row]! < 0 ? '' : `"sid":${sid[row]},`
    const seqText = seq === undefined || seq[row]! < 0 ? '' : `"seq":${seq[row]},`
    return `{"type":${JSON.stringify(shape.envelopeType)},${sidText}${seqText}"msg":`
  }
}

function writeNullable(writer: ByteWriter, values: Float64Array | undefined, row: number): void {
  const value = values?.[row]
  if (value === undefined || value < 0) writer.write(NULL)
  else writeInteger(writer, value)
}
