// Sends requests at a steady rate, without waiting for earlier answers. A delayed request does not delay later ones, so
// every request that the server delays is measured.

import { type Asked, drain } from './http-client.ts'

const TICK_MS = 1

export type SteadyPlan = {
  asked: Asked
  /** Returns the path of the request with this number. */
  path: (number: number) => string
  perSecond: number
}

/** Returns the time of each request, ms, including those that were sent before `until` settled and answered later. */
export async function askSteadily({ asked, path, perSecond }: SteadyPlan, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const open: Promise<void>[] = []
  let isOver = false
  const ask = async (number: number) => {
    const startMs = performance.now()
    await drain(asked, path(number))
    times.push(performance.now() - startMs)
  }
  void until.then(() => {
    isOver = true
  })
  const startMs = performance.now()
  while (!isOver) {
    const due = ((performance.now() - startMs) / 1_000) * perSecond
    while (open.length < due) open.push(ask(open.length))
    await Bun.sleep(TICK_MS)
  }
  await Promise.all(open)
  return times
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
