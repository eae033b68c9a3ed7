// Tests the metrics of requests, tasks and the answer cache.

import { expect, test } from 'bun:test'
import type { TaskReport } from '../../../workers/requests.ts'
import { followWhole } from '../../http/server/sent-body.ts'
import { RequestStats } from '../stats/request-stats.ts'
import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { TaskStats } from '../stats/task-stats.ts'
import { trafficMetrics } from './traffic-metrics.ts'

function made() {
  const requests = new RequestStats(
    () => [{ path: '/a/:id' }, { path: '/b' }],
    (route) => route === '/b',
  )
  const tasks = new TaskStats()
  const cache = { stats: () => ({ hits: 1, misses: 2, bytes: 3, answers: 4 }) }
  const sources = { requests, tasks, cache, connections: { count: 5 }, pendingRequests: () => 6 }
  const pool = { threads: 7, running: 8, queued: 9, queueMax: 10, completed: 11 }
  const samples = (name: string, changes = {}) => {
    const all = trafficMetrics({ ...sources, ...changes } as unknown as ServiceSources)
    return all.find((each) => each.name === `backbook_${name}`)!.read({ pool } as ServiceReading)
  }
  return { requests, tasks, samples }
}

test('requests by route, method and status, with the bytes of streamed bodies', () => {
  const { requests, samples } = made()
  const count = (path: string, method: string, status: number, ms: number) => {
    const request = new Request(`http://localhost${path}`, { method })
    followWhole(request, 100)
    requests.of(request).count(request, status, ms)
  }
  count('/a/1', 'GET', 200, 1)
  count('/a/2', 'GET', 200, 2_000)
  count('/a/2', 'POST', 404, 1)
  count('/b', 'GET', 200, 1)
  const labels = (route: string, method: string) => ({ route, method })
  expect(samples('http_requests_total')).toEqual([
    { labels: { ...labels('/a/{id}', 'GET'), status: 200 }, value: 2 },
    { labels: { ...labels('/a/{id}', 'POST'), status: 404 }, value: 1 },
    { labels: { ...labels('/b', 'GET'), status: 200 }, value: 1 },
  ])
  expect(samples('http_body_bytes_total')).toEqual([{ labels: labels('/b', 'GET'), value: 100 }])
  const seconds = samples('http_request_duration_seconds').filter(({ name }) => name?.endsWith('_sum'))
  expect(seconds.map(({ value }) => value)).toEqual([2.001, 0.001, 0.001])
})

test('tasks by kind and outcome', () => {
  const { tasks, samples } = made()
  tasks.add({ kind: 'page', outcome: 'answered', waitMs: 500, times: { readyMs: 250 } } as unknown as TaskReport)
  tasks.add({ kind: 'page', outcome: 'lost' } as unknown as TaskReport)
  const ofPage = samples('tasks_total').filter(({ labels }) => labels?.['kind'] === 'page')
  expect(ofPage.map(({ labels, value }) => [labels?.['outcome'], value])).toEqual([
    ...[
      ['answered', 1],
      ['failed', 0],
      ['refused', 0],
      ['broken', 0],
      ['lost', 1],
    ],
  ] as never)
  const sumOf = (name: string) =>
    samples(name).find((each) => each.name?.endsWith('_sum') && each.labels?.['kind'] === 'page')?.value
  expect([sumOf('task_wait_seconds'), sumOf('task_duration_seconds')]).toEqual([0.5, 0.25])
})

test('the pool, the cache and the connections', () => {
  const { samples } = made()
  const names = ['connections_open', 'http_requests_in_flight', 'worker_threads', 'tasks_running', 'tasks_queued']
  expect(names.map((name) => samples(name)[0]?.value)).toEqual([5, 6, 7, 8, 9])
  const others = ['tasks_queued_limit', 'answer_cache_bytes', 'answer_cache_answers']
  expect(others.map((name) => samples(name)[0]?.value)).toEqual([10, 3, 4])
  expect(samples('answer_cache_requests_total')).toEqual([
    { labels: { result: 'hit' }, value: 1 },
    { labels: { result: 'miss' }, value: 2 },
  ])
  expect(samples('http_requests_in_flight', { pendingRequests: undefined })).toEqual([])
})
