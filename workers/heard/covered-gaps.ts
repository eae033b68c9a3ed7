// Marks the gaps of a block that another recorder covers, and those that none does.

import type { GapEntry } from '../../storage/format/partition-head.ts'
import type { Shape } from '../../storage/format/shape.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { gapsIn } from '../block/gaps-in-block.ts'

/** The block itself where all of its gaps are marked so. Otherwise each shape stands in it twice, over the same rows:
 *  behind all others as one that is covered. */
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
