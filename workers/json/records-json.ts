// The JSON array of a raw page, in chunks.

import type { Venue } from '../../storage/venue.ts'
import type { BlockSelection } from '../raw/select-records.ts'
import { ByteWriter } from './byte-writer.ts'
import { decodeFirstRecords } from './decoded-block.ts'
import { RecordWriter } from './record-writer.ts'

const CHUNK_BYTES = 256 * 1_024
const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c]

export function* recordChunks(venue: Venue, market: string, blocks: BlockSelection[]): Generator<Uint8Array> {
  const writer = new ByteWriter(CHUNK_BYTES + 16_384)
  let separator = OPEN
  for (const { block, records } of blocks) {
    const writeRecord = new RecordWriter(venue, market, decodeFirstRecords(block, records.at(-1)! + 1))
    for (let i = 0; i < records.length; i++) {
      writer.writeByte(separator)
      separator = COMMA
      writeRecord.write(writer, records[i]!)
      if (writer.length >= CHUNK_BYTES) yield writer.take()
    }
  }
  if (separator === OPEN) writer.writeByte(OPEN)
  writer.writeByte(CLOSE)
  yield writer.take()
}
