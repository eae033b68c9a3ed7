// Goal: of all blocks that a partition ever had, exactly those that its head lists are chosen, in their order, however
// it grew and whichever of the replaced ones are left.

import { describe, expect, test } from 'bun:test'
import { decodeBlock } from '../../../storage/format/block.ts'
import { decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { readSpilled } from '../../../workers/block/spill-file.ts'
import { planPartition } from '../../../workers/partition/plan-partition.ts'
import { type Candidate, chooseBlocks } from '../../../workers/rebuild/choose-blocks.ts'
import { identitiesAt } from '../../../workers/rebuild/rebuild-store.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { kalshiDelta, kalshiSnapshot } from '../../model/lines.ts'
import { collectLines } from '../../support/collected.ts'
import { MemoryPartition } from '../../support/stored-partition.ts'

type Kept = Candidate & { bytes: Uint8Array }

/** A partition that grew by captures, and every block that it ever had. */
function grow(captures: string[][]): { partition: MemoryPartition; ever: Kept[] } {
  const partition = new MemoryPartition()
  const ever: Kept[] = []
  for (const lines of captures) {
    const collected = collectLines(lines)[0]
    const change = collected && planPartition(partition.stored, collected, () => null)
    if (change === undefined) continue
    for (const { kind, id, content } of change.put) {
      if (kind !== 'block') continue
      const bytes = content instanceof Uint8Array ? content : readSpilled(content)
      const { timesMs } = decodeWholeBlock(decodeBlock(bytes))
      ever.push({ id, bytes, firstMs: timesMs[0]!, lastMs: timesMs.at(-1)! })
    }
    partition.apply(change)
  }
  return { partition, ever }
}

const chosenIds = (blocks: Kept[]) =>
  chooseBlocks(blocks, ({ bytes }, timeMs) => identitiesAt(decodeWholeBlock(decodeBlock(bytes)), timeMs)).map(
    ({ id }) => id,
  )

function deltas(count: number, steps: number[], random: Random): string[] {
  let ms = 0
  const lines = Array.from({ length: count }, (_, i) => {
    ms += random.pick(steps)
    return JSON.stringify({ ...kalshiDelta(ms, `0.${10 + random.below(80)}00`, `${i}.00`), seq: i })
  })
  return [JSON.stringify(kalshiSnapshot([['0.4000', '10.00']])), ...lines]
}

function expectChosen(captures: string[][], random: Random): number {
  const { partition, ever } = grow(captures)
  const live = partition.stored!.head.blocks.map(({ id }) => id)
  expect(chosenIds(ever)).toEqual(live)
  // Pages of some that were replaced are used again.
  for (let round = 0; round < 5; round++) {
    expect(chosenIds(ever.filter(({ id }) => live.includes(id) || random.chance(0.5)))).toEqual(live)
  }
  return ever.length - live.length
}

describe.each([1, 2, 3])('seed %d', (seed) => {
  test.each([
    ['far apart', [1, 20, 400]],
    ['together', [0, 0, 0, 1]],
    ['at one time', [0]],
  ])('small appends of records %s, that were joined', (_, steps) => {
    const random = new Random(seed, 'appends')
    const lines = deltas(800, steps, random)
    const captures: string[][] = []
    for (let at = 0; at < lines.length; ) {
      const count = 1 + random.below(40)
      captures.push(lines.slice(at, at + count))
      at += count
    }
    expect(expectChosen(captures, random)).toBeGreaterThan(10)
  })

  test('lossy captures that overlap, and were merged', () => {
    const random = new Random(seed, 'merges')
    const lines = deltas(600, [0, 1, 20], random)
    const captures = Array.from({ length: 12 }, () => {
      const from = random.below(lines.length - 100)
      return lines.slice(from, from + 100 + random.below(200)).filter(() => random.chance(0.7))
    })
    expect(expectChosen(captures, random)).toBeGreaterThan(3)
  })
})

test('where a block is lost, those that it replaced take its place', () => {
  const lines = deltas(120, [5], new Random(1, 'lost'))
  const { partition, ever } = grow(Array.from({ length: 12 }, (_, i) => lines.slice(10 * i, 10 * (i + 1))))
  const [joined] = partition.stored!.head.blocks
  const left = ever.filter(({ id }) => id !== joined!.id)
  expect(ever.length).toBeGreaterThan(partition.stored!.head.blocks.length)
  expect(chosenIds(left).length).toBeGreaterThan(0)
})
