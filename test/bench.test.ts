// long: each topic is two processes with stores and servers of their own
// Goal: every topic of the bench still runs, and answers what it always has. Its figures at this size say nothing.

import { expect, test } from 'bun:test'
import type { MeasuredTopic } from '../bench/run-rounds.ts'
import { TOPIC_NAMES } from '../bench/topics.ts'
import { BENCH_ANSWERS } from './support/bench-answers.ts'

test.each(TOPIC_NAMES)(
  '%s finds figures, and answers what it always has',
  async (name) => {
    const command = ['bun', 'bench/main.ts', name, '--smoke', '--no-peers', '--json']
    const bench = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
    const [printed, said] = await Promise.all([bench.stdout.text(), bench.stderr.text()])
    if ((await bench.exited) !== 0) throw new Error(said)
    const [{ topic, figures, answers }] = JSON.parse(printed) as [MeasuredTopic]
    expect(topic).toBe(name)
    expect(figures.length).toBeGreaterThan(0)
    for (const { value } of figures) expect(value).toBeGreaterThan(0)
    expect(answers).toEqual(BENCH_ANSWERS[name])
  },
  120_000,
)
