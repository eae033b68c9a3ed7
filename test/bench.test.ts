// Goal: every topic of the bench still runs, and answers what it always has. Its figures at this size say nothing.

import { beforeAll, expect, test } from 'bun:test'
import type { MeasuredTopic } from '../bench/run-rounds.ts'
import { TOPIC_NAMES } from '../bench/topics.ts'
import { BENCH_ANSWERS } from './support/bench-answers.ts'

let measured: MeasuredTopic[] = []

beforeAll(async () => {
  const command = ['bun', 'bench/main.ts', '--smoke', '--no-peers', '--json']
  const bench = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [printed, said] = await Promise.all([new Response(bench.stdout).text(), new Response(bench.stderr).text()])
  if ((await bench.exited) !== 0) throw new Error(said)
  measured = JSON.parse(printed)
}, 300_000)

test('the bench runs all topics at their smoke size', () => {
  expect(measured.map(({ topic }) => topic)).toEqual(TOPIC_NAMES)
})

test.each(TOPIC_NAMES)('%s finds figures, and answers what it always has', (name) => {
  const { figures, answers } = measured.find(({ topic }) => topic === name)!
  expect(figures.length).toBeGreaterThan(0)
  for (const { value } of figures) expect(value).toBeGreaterThan(0)
  expect(answers).toEqual(BENCH_ANSWERS[name])
})
