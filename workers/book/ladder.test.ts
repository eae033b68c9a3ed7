// A ladder has the sizes that were set, knows the best cell of each side, and lists cells from the best down.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { ASK, BID, Ladder, RUNGS, SIDE_CELLS } from './ladder.ts'

function expectAs(ladder: Ladder, model: Map<number, number>): void {
  const [rungs, sizes] = [new Int32Array(RUNGS), new Float64Array(RUNGS)]
  for (const side of [BID, ASK] as const) {
    const first = side * SIDE_CELLS
    const cells = [...model.keys()].filter((cell) => cell >= first && cell < first + SIDE_CELLS).sort((a, b) => b - a)
    expect(ladder.best[side]).toBe(cells[0] ?? -1)
    expect([...ladder.cells(side)]).toEqual(cells)
    const count = ladder.readSide(side, rungs, sizes)
    expect([...rungs.subarray(0, count)]).toEqual(cells.map((cell) => cell - first))
    expect([...sizes.subarray(0, count)]).toEqual(cells.map((cell) => model.get(cell)!))
  }
}

test.each([1, 2, 3])('agrees with a Map, seed %d', (seed) => {
  const random = new Random(seed, 'ladder')
  const [ladder, model] = [new Ladder(), new Map<number, number>()]
  const usual = Array.from({ length: 40 }, () => random.below(2) * SIDE_CELLS + random.below(RUNGS))
  for (let i = 0; i < 600; i++) {
    if (i === 400) {
      ladder.clear()
      model.clear()
    }
    const cell = random.chance(0.9)
      ? random.pick(usual)
      : random.pick([0, 31, 32, RUNGS - 1]) + random.below(2) * SIDE_CELLS
    const size = random.pick([0, -3, 1, 2.5e9])
    ladder.set(cell, size)
    if (size > 0) model.set(cell, size)
    else model.delete(cell)
    if (i % 7 === 0) expectAs(ladder, model)
  }
  for (const cell of usual) expect(Object.is(ladder.sizes[cell], model.get(cell) ?? 0)).toBe(true)
})
