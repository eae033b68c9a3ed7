// Stats of the workers' tasks by kind: outcomes, wait for a thread, and work time.

import type { TaskReport } from '../../../workers/requests.ts'
import { TASKS } from '../../../workers/tasks/registry.ts'
import { Histogram } from './histogram.ts'
import { RecentTimes } from './recent-times.ts'

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export class KindStats {
  readonly outcomes: Record<TaskReport['outcome'], number> = { answered: 0, failed: 0, refused: 0, broken: 0, lost: 0 }
  readonly waiting = new Histogram(BOUNDS)
  /** Work time until the first bytes of the answer were ready, in seconds. Excludes sending. */
  readonly working = new Histogram(BOUNDS)
}

export class TaskStats {
  readonly byKind = new Map(TASKS.map(({ name }) => [name, new KindStats()]))
  readonly #recentWorkMs = new RecentTimes()
  readonly #recentWaitMs = new RecentTimes()

  add(report: TaskReport): void {
    const stats = this.byKind.get(report.kind)!
    stats.outcomes[report.outcome] += 1
    if (!('times' in report)) return
    stats.waiting.observe(report.waitMs / 1000)
    stats.working.observe(report.times.readyMs / 1000)
    this.#recentWaitMs.add(report.waitMs)
    this.#recentWorkMs.add(report.times.readyMs)
  }

  /** Returns the quantiles of the work time and the wait of the newest tasks, in ms. `tasks` is the number of these
   *  tasks. */
  recent(): { tasks: number; workMs: Quantiles; waitMs: Quantiles } {
    const quantiles = (times: RecentTimes) => ({ p50: times.quantile(0.5), p99: times.quantile(0.99) })
    const [workMs, waitMs] = [quantiles(this.#recentWorkMs), quantiles(this.#recentWaitMs)]
    return { tasks: this.#recentWorkMs.size, workMs, waitMs }
  }
}

/** Null before the first task. */
export type Quantiles = { p50: number | null; p99: number | null }
