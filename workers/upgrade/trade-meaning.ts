// What the trades of a block of format 2 mean: its shapes do not say it, so a trade of each shape is read as a capture
// has it.

import type { Shape } from '../../storage/format/shape.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { LineParser } from '../capture/line-parser.ts'
import { CaptureLineWriter } from '../table/record-writer.ts'

export function withTradeMeaning({ venue, market }: PartitionKey, block: DecodedBlock): DecodedBlock {
  if (block.shapes.every(({ shape }) => shape.kind !== 'trade')) return block
  const lines = new CaptureLineWriter(venue, market, block)
  const shapes = block.shapes.map((decoded, index) => {
    if (decoded.shape.kind !== 'trade' || decoded.shape.trade !== null) return decoded
    const read = shapeOf(lines.line(block.shapeIndexes.indexOf(index)))
    // Values stand in the same places, or the places would mean nothing.
    const isSame = read !== undefined && Bun.deepEquals(read.parts, decoded.shape.parts)
    return isSame ? { ...decoded, shape: { ...decoded.shape, trade: read.trade } } : decoded
  })
  return { ...block, shapes }
}

function shapeOf(line: Uint8Array): Shape | undefined {
  let shape: Shape | undefined
  const parser = new LineParser({
    message: (form) => {
      shape = form.shape
    },
    skip: () => {},
    reject: () => {},
    metadata: () => {},
  })
  parser.parse(line, 0, line.length)
  return shape
}
