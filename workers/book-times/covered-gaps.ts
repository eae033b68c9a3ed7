// Marks the gaps of a block that another recorder covers, and removes the mark from all other gaps.

import type { GapEntry } from '../../storage/format/partition-head.ts'
import type { Shape } from '../../storage/format/shape.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { gapsIn } from '../block/gaps-in-block.ts'

/** Returns the block itself if the marks of all gaps are right. Otherwise returns a block that has each shape twice,
 *  with the same rows: first all shapes unmarked, then all shapes marked as covered. */
export function withCoveredGaps(block: DecodedBlock, isCovered: (gap: GapEntry) => boolean): DecodedBlock {
  const { shapes, shapeIndexes } = block
  if (shapes.every(({ shape }) => shape.kind !== 'gap')) return block
  const records = Array.from({ length: block.recordCount }, (_, record) => record)
  const places = records.filter((record) => shapes[shapeIndexes[record]!]!.shape.kind === 'gap')
  const gaps = gapsIn(block)
  if (gaps.every((gap) => isCovered(gap) === (gap.isCovered === true))) return block
  const marked = shapeIndexes.slice()
  gaps.forEach((gap, i) => {
    if (isCovered(gap)) marked[places[i]!]! += shapes.length
  })
  const plain = shapes.map((shape) => ({ ...shape, shape: withoutMark(shape.shape) }))
  const covered = plain.map((shape) => ({ ...shape, shape: { ...shape.shape, isCovered: true as const } }))
  return { ...block, shapeIndexes: marked, shapes: [...plain, ...covered] }
}

function withoutMark({ isCovered: _, ...shape }: Shape): Shape {
  return shape
}
