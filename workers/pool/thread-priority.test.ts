// Threads that answer have a lower priority than the thread that serves, which keeps its own.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { DAY, TICKER } from '../../test/model/lines.ts'
import { TestStore } from '../../test/support/store.ts'
import { pageTask } from '../tasks/page.ts'
import { createWorkers } from './pool.ts'
import { NICE } from './thread-priority.ts'

/** Index of the nice value in `/proc/PID/task/TID/stat`, counted after the name in brackets. */
const NICE_FIELD = 16

/** Returns the nice value of a thread; undefined if the thread has ended. */
function niceOf(thread: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE_FIELD])
  } catch {
    return undefined
  }
}

const behind = () => readdirSync('/proc/self/task').filter((thread) => niceOf(thread) === NICE)

test.skipIf(process.platform !== 'linux')('only the threads that answer get a lower priority', async () => {
  const first = niceOf(String(process.pid))
  const before = new Set(behind())
  const store = new TestStore()
  const workers = createWorkers({ place: store.place, threads: 1, queueMax: 10 })
  try {
    const scope = { date: DAY, offset: 0 }
    // The store is empty, so the request may fail; the thread only has to answer.
    await workers.ask(pageTask, { venue: 'kalshi', market: TICKER, book: null, limit: 1, scope }).catch(() => undefined)
    expect(behind().filter((thread) => !before.has(thread))).not.toBeEmpty()
    expect(niceOf(String(process.pid))).toBe(first)
  } finally {
    await workers.close()
    await store.close()
  }
})
