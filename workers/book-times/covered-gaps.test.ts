// A gap of a block is marked as covered if another recorder received its messages. Otherwise the mark is removed.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiGap, NOON, received } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { gapsIn } from '../block/gaps-in-block.ts'
import { withCoveredGaps } from './covered-gaps.ts'

const block = decodedBlock(
  kalshiDelta(0, '0.5', '1'),
  received(1_000, kalshiGap(1_000)),
  kalshiDelta(1_500, '0.5', '1'),
  received(2_000, kalshiGap(2_000)),
)
const first = ({ fromMs }: { fromMs: number | null }) => fromMs === NOON + 1_000
const marksOf = (marked: DecodedBlock) => gapsIn(marked).map(({ fromMs, isCovered }) => [fromMs! - NOON, isCovered])

test('only the covered gap has the mark', () => {
  const marked = withCoveredGaps(block, first)
  expect(marksOf(marked)).toEqual([
    [1_000, true],
    [2_000, undefined],
  ])
  expect(marked.rows).toBe(block.rows)
  expect(Array.from(marked.shapeIndexes, (shape) => marked.shapes[shape]!.shape.kind)).toEqual(
    Array.from(block.shapeIndexes, (shape) => block.shapes[shape]!.shape.kind),
  )
})

test('the mark is removed if the gap is no longer covered', () => {
  const marked = withCoveredGaps(block, () => true)
  expect(marksOf(withCoveredGaps(marked, () => false))).toEqual([
    [1_000, undefined],
    [2_000, undefined],
  ])
})

test('a block whose marks are right stays as it is, and so does one without gaps', () => {
  expect(withCoveredGaps(block, () => false)).toBe(block)
  const marked = withCoveredGaps(block, first)
  expect(withCoveredGaps(marked, first)).toBe(marked)
  const plain = decodedBlock(kalshiDelta(0, '0.5', '1'))
  expect(withCoveredGaps(plain, () => true)).toBe(plain)
})
