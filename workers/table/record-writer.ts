// Writes records as JSON: the envelope that is the same for both venues, and the message as the venue sent it.

import type { Venue } from '../../storage/venue.ts'
import type { DecodedBlock, DecodedShape } from '../block/decoded-block.ts'
import { type BytePart, byteParts, writeMessage } from '../block/message-writer.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { type Step, StepList } from './row-steps.ts'
import { writeRow } from './row-writer.ts'

const encoder = new TextEncoder()

export class RecordWriter {
  readonly #block: DecodedBlock
  readonly #steps: Step[][]

  constructor(venue: Venue, market: string, block: DecodedBlock) {
    this.#block = block
    const isKalshi = venue === 'kalshi'
    const ticker = `,"ticker":${JSON.stringify(market)}`
    const assets = isKalshi ? undefined : assetTexts(block.bookIds)
    this.#steps = block.shapes.map((shape) => {
      const steps = new StepList()
      steps.text(`{"type":"${shape.shape.kind}","timestamp":`).integers(shape.timesMs)
      steps.text(',"received_at":').nullable(shape.receivedMs)
      if (assets === undefined) steps.text(ticker)
      else steps.words({ ...assets, indexes: shape.books })
      if (isKalshi) steps.text(',"sid":').nullable(shape.sid).text(',"seq":').nullable(shape.seq)
      return steps.text(',"msg":').parts(shape.shape.parts, shape).text('}').finish()
    })
  }

  write(writer: ByteWriter, record: number): void {
    writeRow(writer, this.#steps[this.#block.shapeIndexes[record]!]!, this.#block.rows[record]!)
  }
}

/** `,"asset_id":…` of each book number, 0 is the whole market: texts as a column keeps them. */
function assetTexts(bookIds: string[]) {
  const texts = [null, ...bookIds].map((id) => encoder.encode(`,"asset_id":${JSON.stringify(id)}`))
  const offsets = new Uint32Array(texts.length + 1)
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i]! + text.length
  })
  return { arena: new Uint8Array(Buffer.concat(texts)), offsets, wordCount: texts.length }
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
