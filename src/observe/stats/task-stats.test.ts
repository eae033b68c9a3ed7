// Tests the counts and times of tasks, by kind.

import { expect, test } from 'bun:test'
import type { TaskReport } from '../../../workers/requests.ts'
import { TaskStats } from './task-stats.ts'

const answered = (kind: string, waitMs: number, readyMs: number) =>
  ({ kind, outcome: 'answered', waitMs, times: { readyMs } }) as unknown as TaskReport

test('outcomes are counted by kind, and times of answered tasks in seconds', () => {
  const stats = new TaskStats()
  stats.add(answered('page', 500, 2_000))
  stats.add(answered('page', 500, 0))
  stats.add({ kind: 'page', outcome: 'refused' } as unknown as TaskReport)
  stats.add(answered('summary', 0, 0))
  const { outcomes, waiting, working } = stats.byKind.get('page')!
  expect(outcomes).toEqual({ answered: 2, failed: 0, refused: 1, broken: 0, lost: 0 })
  expect(waiting.counts.reduce((sum, count) => sum + count)).toBe(2)
  expect([waiting.sum, working.sum]).toEqual([1, 2])
  expect(stats.byKind.get('summary')?.outcomes.answered).toBe(1)
})

test('the newest times have exact quantiles; without tasks there are none', () => {
  const stats = new TaskStats()
  expect(stats.recent()).toEqual({ tasks: 0, workMs: { p50: null, p99: null }, waitMs: { p50: null, p99: null } })
  for (let ms = 1; ms <= 100; ms++) stats.add(answered('page', ms * 10, ms))
  expect(stats.recent()).toEqual({ tasks: 100, workMs: { p50: 50, p99: 99 }, waitMs: { p50: 500, p99: 990 } })
  for (let n = 0; n < 2_000; n++) stats.add(answered('summary', 7, 7))
  expect(stats.recent()).toEqual({ tasks: 1_024, workMs: { p50: 7, p99: 7 }, waitMs: { p50: 7, p99: 7 } })
})
