// Writes the records of a raw page in chunks, as a JSON array or as lines.

import type { Venue } from '../../storage/venue.ts'
import { type BlockSelection, decodeFirstRecords } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import type { AnswerChunks, Pack } from '../chunked-answer.ts'
import type { PageRequest } from '../requests.ts'
import { RecordWriter } from './record-writer.ts'

const CHUNK_BYTES = 128 * 1_024
/** Limits of a short page. A page with up to this many records is faster if it has fewer, larger chunks. */
const SHORT = { records: 10_000, chunkBytes: 256 * 1_024 }
const ROOM_BYTES = 16_384
const [OPEN, CLOSE, COMMA, NEWLINE] = [0x5b, 0x5d, 0x2c, 0x0a]
const END: IteratorResult<Uint8Array> = { done: true, value: undefined }

/** Consumes the list of blocks, and holds at most one of them decoded. This is not a generator: a generator keeps its
 *  last local values alive after it has ended. */
export class RecordChunks implements AnswerChunks {
  readonly #venue: Venue
  readonly #market: string
  readonly #blocks: BlockSelection[]
  readonly #isArray: boolean
  readonly #writer: ByteWriter
  readonly #chunkBytes: number
  #ofBlock: Iterator<Uint8Array> | undefined
  #before = OPEN
  #pack: Pack = (chunks) => chunks
  #hasEnded = false

  constructor(venue: Venue, market: string, blocks: BlockSelection[], layout: PageRequest['layout'] = 'array') {
    this.#isArray = layout === 'array'
    this.#venue = venue
    this.#market = market
    this.#blocks = blocks
    const count = blocks.reduce((sum, { records }) => sum + records.length, 0)
    this.#chunkBytes = count <= SHORT.records ? SHORT.chunkBytes : CHUNK_BYTES
    this.#writer = new ByteWriter(this.#chunkBytes + ROOM_BYTES)
  }

  next(): IteratorResult<Uint8Array> {
    if (this.#hasEnded) return END
    while (this.#ofBlock !== undefined || this.#blocks.length > 0) {
      this.#ofBlock ??= this.#begin(this.#blocks.shift()!)
      const next = this.#ofBlock.next()
      if (!next.done) return next
      this.#ofBlock = undefined
    }
    this.#hasEnded = true
    if (this.#isArray) this.#closeArray()
    if (this.#writer.length === 0) return END
    return { done: false, value: this.#writer.take() }
  }

  /** From now on, writes the rest of a block at once and stores it compressed. This takes a tenth of the memory of the
   *  decoded columns. */
  packParts(pack: Pack): void {
    this.#pack = pack
    if (this.#ofBlock !== undefined) this.#ofBlock = pack(this.#ofBlock)
  }

  #closeArray(): void {
    if (this.#before === OPEN) this.#writer.writeByte(OPEN)
    this.#writer.writeByte(CLOSE)
  }

  #begin(selection: BlockSelection): Iterator<Uint8Array> {
    const chunks = this.#chunksOf(selection, this.#before)
    this.#before = COMMA
    return this.#pack(chunks)
  }

  // The text of a block's end stays in the writer, and is sent with the next full chunk.
  *#chunksOf({ block, records }: BlockSelection, before: number): Generator<Uint8Array> {
    const writer = this.#writer
    const chunkBytes = this.#chunkBytes
    const decoded = decodeFirstRecords(block, records.at(-1)! + 1)
    const writeRecord = new RecordWriter(this.#venue, this.#market, decoded)
    const isArray = this.#isArray
    let separator = before
    for (let i = 0; i < records.length; i++) {
      if (isArray) writer.writeByte(separator)
      separator = COMMA
      writeRecord.write(writer, records[i]!)
      if (!isArray) writer.writeByte(NEWLINE)
      if (writer.length >= chunkBytes) yield writer.take()
    }
  }
}
