// Reads the gaps that the records of a block report.

import type { GapEntry } from '../../storage/format/partition-head.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import type { DecodedBlock } from './decoded-block.ts'
import { byteParts, writeMessage } from './message-writer.ts'

export function gapsIn(block: DecodedBlock): GapEntry[] {
  const gaps: GapEntry[] = []
  const writer = new ByteWriter(256)
  for (let record = 0; record < block.recordCount; record++) {
    const shape = block.shapes[block.shapeIndexes[record]!]!
    if (shape.shape.kind !== 'gap') continue
    writer.length = 0
    writeMessage(writer, byteParts(shape.shape.parts), shape, block.rows[record]!)
    const msg = JSON.parse(new TextDecoder().decode(writer.bytes.subarray(0, writer.length))) as Record<string, unknown>
    gaps.push({
      book: block.bookIds[block.books[record]! - 1] ?? null,
      reason: String(msg['reason'] ?? ''),
      fromMs: typeof msg['from'] === 'number' ? msg['from'] : null,
      toMs: typeof msg['to'] === 'number' ? msg['to'] : null,
      atMs: block.timesMs[record]!,
      ...(shape.shape.isCovered === true && { isCovered: true as const }),
    })
  }
  return gaps
}
