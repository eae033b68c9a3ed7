// Metrics of requests, of their tasks, and of the answer cache.

import type { RouteStats } from '../stats/request-stats.ts'
import type { ServiceSources } from '../stats/service-reading.ts'
import type { KindStats } from '../stats/task-stats.ts'
import { counter, gauge, histogram, type Labels, type Metric } from './sample.ts'

export function trafficMetrics({ requests, tasks, cache, connections, pendingRequests }: ServiceSources): Metric[] {
  const byRoute = <T>(read: (stats: RouteStats, labels: Labels) => T) =>
    Array.from(requests.all(), (stats) => read(stats, { route: stats.route, method: stats.method }))
  const byKind = <T>(read: (stats: KindStats, labels: Labels) => T) =>
    Array.from(tasks.byKind, ([kind, stats]) => read(stats, { kind }))
  return [
    counter('backbook_http_requests_total', 'Requests answered, by route, method and status.', () =>
      byRoute((stats, labels) =>
        Array.from(stats.statusCounts(), ({ status, requests }) => ({
          labels: { ...labels, status },
          value: requests,
        })),
      ).flat(),
    ),
    histogram('backbook_http_request_duration_seconds', 'Time until the first byte of an answer was ready.', () =>
      byRoute((stats, labels) => [labels, stats.seconds] as const).map(([labels, seconds]) => [labels, seconds]),
    ),
    counter(
      'backbook_http_body_bytes_total',
      'Bytes sent of answers that are streamed, such as summaries and raw pages.',
      () => byRoute(({ bodyBytes }, labels) => (bodyBytes === null ? [] : [{ labels, value: bodyBytes }])).flat(),
    ),
    gauge('backbook_http_requests_in_flight', 'Requests whose answers are being made or sent.', () =>
      pendingRequests?.(),
    ),
    gauge('backbook_connections_open', 'Connections of replays and streams.', () => connections.count),
    counter('backbook_tasks_total', 'Tasks of the workers that ended, by kind and outcome.', () =>
      byKind(({ outcomes }, labels) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
      ).flat(),
    ),
    histogram(
      'backbook_task_wait_seconds',
      'Time that a task waited for a thread, including the way there and back.',
      () => byKind(({ waiting }, labels) => [labels, waiting]),
    ),
    histogram('backbook_task_duration_seconds', 'Time that a thread worked until the first bytes were ready.', () =>
      byKind(({ working }, labels) => [labels, working]),
    ),
    gauge('backbook_worker_threads', 'Threads that compute answers.', ({ pool }) => pool.threads),
    gauge('backbook_tasks_running', 'Tasks that run, or wait for their clients.', ({ pool }) => {
      return pool.running
    }),
    gauge('backbook_tasks_queued', 'Tasks that wait for a thread.', ({ pool }) => pool.queued),
    gauge('backbook_tasks_queued_limit', 'Tasks that may wait. Further ones are refused.', ({ pool }) => pool.queueMax),
    counter(
      'backbook_answer_cache_requests_total',
      'Questions about past days: hit if the answer was cached, else miss.',
      () => {
        const { hits, misses } = cache.stats()
        return [
          { labels: { result: 'hit' }, value: hits },
          { labels: { result: 'miss' }, value: misses },
        ]
      },
    ),
    gauge('backbook_answer_cache_bytes', 'Bytes of the cached answers.', () => cache.stats().bytes),
    gauge('backbook_answer_cache_answers', 'Cached answers.', () => cache.stats().answers),
  ]
}
