// long: each topic is a process with stores and servers of its own
// Goal: every topic of the bench runs and gives the stored answers. Its measurements mean nothing at this size.

import { expect, test } from 'bun:test'
import { runRounds } from '../bench/run-rounds.ts'
import { TOPIC_NAMES } from '../bench/topics.ts'
import { partOf } from './run/effort.ts'
import { BENCH_ANSWERS } from './support/bench-answers.ts'

test.each(partOf(TOPIC_NAMES, 8))(
  '%s measures something, and gives the stored answers',
  async (name) => {
    const { figures, answers } = await runRounds(name, { size: 'smoke', rounds: 1, withPeers: false })
    expect(figures.length).toBeGreaterThan(0)
    for (const { value } of figures) expect(value).toBeGreaterThan(0)
    expect(answers).toEqual(BENCH_ANSWERS[name])
  },
  300_000,
)
