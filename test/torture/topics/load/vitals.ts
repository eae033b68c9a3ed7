// Resources that a server holds: descriptors, threads, reader slots, running requests, memory. After a load, the server
// must return to what it held before.

import { readdirSync, readFileSync } from 'node:fs'
import { Metrics } from '../../../support/metrics-text.ts'
import type { Served } from './served-store.ts'

export type Vitals = {
  descriptors: number
  threads: number
  readerSlots: number
  inFlight: number
  running: number
  queued: number
  residentMb: number
}

/** Allowed additional descriptors: the runtime holds some connections and files a little longer. */
const DESCRIPTORS_MORE = 8
/** Allowed additional threads: the runtime starts threads when it needs them, for compression and its collector. */
const THREADS_MORE = 16
/** Allowed additional slots. LMDB reports the highest number that was ever in use at once, one for each parallel
 *  command. */
const SLOTS_MORE = 4
const SETTLE_MS = 30_000
const MB = 2 ** 20

export async function readVitals({ port, pid }: Pick<Served, 'port' | 'pid'>): Promise<Vitals> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })
  const metrics = new Metrics(await answer.text())
  const value = (name: string) => metrics.value(name) ?? Number.NaN
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    readerSlots: value('backbook_store_reader_slots_used'),
    inFlight: value('backbook_http_requests_in_flight'),
    running: value('backbook_tasks_running'),
    queued: value('backbook_tasks_queued'),
    residentMb: residentMb(pid),
  }
}

export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kb) * 1_024) / MB
}

/** Waits until the server holds about as much as before. Throws with what it still holds. */
export async function expectSettled(server: Served, before: Vitals, residentMbMax: number): Promise<Vitals> {
  const untilMs = Date.now() + SETTLE_MS
  for (;;) {
    const now = await readVitals(server)
    const held = stillHeld(now, before, residentMbMax)
    if (held.length === 0) return now
    if (Date.now() > untilMs) throw new Error(`still held after ${SETTLE_MS} ms: ${held.join(', ')}`)
    await Bun.sleep(100)
  }
}

function stillHeld(now: Vitals, before: Vitals, residentMbMax: number): string[] {
  const max: Vitals = {
    descriptors: before.descriptors + DESCRIPTORS_MORE,
    threads: before.threads + THREADS_MORE,
    readerSlots: before.readerSlots + SLOTS_MORE,
    // Counts the request that reads the metrics.
    inFlight: 1,
    running: 0,
    queued: 0,
    residentMb: residentMbMax,
  }
  const names = Object.keys(max) as (keyof Vitals)[]
  return names.filter((name) => !(now[name] <= max[name])).map((name) => `${name} ${now[name]}, not ${max[name]}`)
}
