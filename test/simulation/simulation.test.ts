// Goal: however calls to the stores of a cluster are delayed, lost, repeated or broken off, every record that was
// acknowledged is there once and in order, every answer shows a market after one of its commits, and nothing that a row
// names is removed. Of what a venue says, each message is stored once, or lies within a gap that recorders tell, whoever
// of them crashes, is stopped, or is replaced by another one.

import { expect, test } from 'bun:test'
import { effort, IS_LONG, RUN_SEED } from '../run/effort.ts'
import { simulate } from './simulate.ts'

const SEEDS = effort(25, 1_000)

test(`${SEEDS} seeds keep every promise`, async () => {
  const counts = new Map<string, number>()
  for (let seed = RUN_SEED; seed < RUN_SEED + SEEDS; seed++) {
    const run = await simulate(seed)
    for (const [name, count] of run.counts) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  // Over few seeds chance decides how often; over many, these bounds hold.
  const happened = (what: string, perSeed: number) =>
    expect(counts.get(what) ?? 0, what).toBeGreaterThan(IS_LONG ? perSeed * SEEDS : 0)
  happened('answers that showed one commit', 10)
  happened('loads acknowledged', 2)
  happened('ranges in pages of several nodes', 2)
  happened('messages stored', 5)
  happened('messages within gaps', 1)
  happened('recorders started again', 0.25)
  happened('stored markets taken', 0.25)
}, 240_000)

test('a seed repeats to the byte', async () => {
  for (const seed of [1, 2, 3]) expect((await simulate(seed)).digest).toBe((await simulate(seed)).digest)
}, 60_000)
