// Metrics of requests, of the tasks they became, and of the kept answers.

import type { ServiceSources } from '../service-reading.ts'
import type { RouteFigures } from './request-figures.ts'
import { counter, gauge, histogram, type Labels, type Metric } from './sample.ts'
import type { KindFigures } from './task-figures.ts'

export function trafficMetrics({ requests, tasks, cache, pendingRequests }: ServiceSources): Metric[] {
  const byRoute = <T>(read: (figures: RouteFigures, labels: Labels) => T) =>
    Array.from(requests.all(), (figures) => read(figures, { route: figures.route, method: figures.method }))
  const byKind = <T>(read: (figures: KindFigures, labels: Labels) => T) =>
    Array.from(tasks.byKind, ([kind, figures]) => read(figures, { kind }))
  return [
    counter('backbook_http_requests_total', 'Requests answered, by route, method and status.', () =>
      byRoute((figures, labels) =>
        Array.from(figures.given(), ({ status, requests }) => ({ labels: { ...labels, status }, value: requests })),
      ).flat(),
    ),
    histogram('backbook_http_request_duration_seconds', 'Time until the first byte of an answer was ready.', () =>
      byRoute((figures, labels) => [labels, figures.seconds] as const).map(([labels, seconds]) => [labels, seconds]),
    ),
    counter('backbook_http_body_bytes_total', 'Bytes of summaries and raw pages as they were sent.', () =>
      byRoute(({ bodyBytes }, labels) => (bodyBytes === null ? [] : [{ labels, value: bodyBytes }])).flat(),
    ),
    gauge('backbook_http_requests_in_flight', 'Requests whose answers are being made or sent.', () =>
      pendingRequests?.(),
    ),
    counter('backbook_tasks_total', 'Tasks of the workers that ended, by kind and outcome.', () =>
      byKind(({ outcomes }, labels) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
      ).flat(),
    ),
    histogram('backbook_task_wait_seconds', 'Time a task waited for a thread, the ways there and back included.', () =>
      byKind(({ waiting }, labels) => [labels, waiting]),
    ),
    histogram(
      'backbook_task_duration_seconds',
      'Time a thread read and computed until the first bytes were ready.',
      () => byKind(({ working }, labels) => [labels, working]),
    ),
    gauge('backbook_worker_threads', 'Threads that compute answers.', ({ pool }) => pool.threads),
    gauge('backbook_tasks_running', 'Tasks that threads have in hand, or that wait for their clients.', ({ pool }) => {
      return pool.running
    }),
    gauge('backbook_tasks_queued', 'Tasks that wait for a thread.', ({ pool }) => pool.queued),
    gauge('backbook_tasks_queued_limit', 'Tasks that may wait; one more is refused.', ({ pool }) => pool.queueMax),
    counter(
      'backbook_answer_cache_requests_total',
      'Questions about past days, by whether the answer was kept.',
      () => {
        const { hits, misses } = cache.figures()
        return [
          { labels: { result: 'hit' }, value: hits },
          { labels: { result: 'miss' }, value: misses },
        ]
      },
    ),
    gauge('backbook_answer_cache_bytes', 'Bytes of the answers that are kept.', () => cache.figures().bytes),
    gauge('backbook_answer_cache_answers', 'Answers that are kept.', () => cache.figures().answers),
  ]
}
