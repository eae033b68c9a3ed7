// The records of a raw page, in chunks: a JSON array, or lines.

import type { Venue } from '../../storage/venue.ts'
import type { BlockSelection } from '../raw/select-records.ts'
import type { PageRequest } from '../requests.ts'
import { ByteWriter } from './byte-writer.ts'
import { decodeFirstRecords } from './decoded-block.ts'
import { RecordWriter } from './record-writer.ts'

const CHUNK_BYTES = 256 * 1_024
const [OPEN, CLOSE, COMMA, NEWLINE] = [0x5b, 0x5d, 0x2c, 0x0a]

export function recordChunks(
  venue: Venue,
  market: string,
  blocks: BlockSelection[],
  layout: PageRequest['layout'] = 'array',
): Generator<Uint8Array> {
  return layout === 'lines' ? recordLines(venue, market, blocks) : recordArray(venue, market, blocks)
}

function* recordArray(venue: Venue, market: string, blocks: BlockSelection[]): Generator<Uint8Array> {
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

function* recordLines(venue: Venue, market: string, blocks: BlockSelection[]): Generator<Uint8Array> {
  const writer = new ByteWriter(CHUNK_BYTES + 16_384)
  for (const { block, records } of blocks) {
    const writeRecord = new RecordWriter(venue, market, decodeFirstRecords(block, records.at(-1)! + 1))
    for (let i = 0; i < records.length; i++) {
      writeRecord.write(writer, records[i]!)
      writer.writeByte(NEWLINE)
      if (writer.length >= CHUNK_BYTES) yield writer.take()
    }
  }
  if (writer.length > 0) yield writer.take()
}
