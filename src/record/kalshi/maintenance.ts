// Kalshi's maintenance windows: a configured weekly one, and those that its REST announces (`/exchange/schedule`).

import type { WeeklyWindow } from '../config/record-config.ts'
import { isInWindow } from './weekly-window.ts'

export const SCHEDULE_PATH = '/exchange/schedule'

/** A window in Unix ms, without its end. */
export type Window = { fromMs: number; toMs: number }

export class Maintenance {
  readonly #weekly: WeeklyWindow | null
  #announced: Window[] = []

  constructor(weekly: WeeklyWindow | null) {
    this.#weekly = weekly
  }

  /** Replaces the announced windows. */
  announce(windows: Window[]): void {
    this.#announced = windows
  }

  /** Whether maintenance is planned at this time, Unix ms. */
  isPlanned(atMs: number): boolean {
    if (this.#weekly !== null && isInWindow(this.#weekly, atMs)) return true
    return this.#announced.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  }
}

/** Parses a schedule. Returns undefined if the body is not one. Leaves out windows whose times cannot be parsed. */
export function readSchedule(body: string): Window[] | undefined {
  let windows: unknown
  try {
    windows = (JSON.parse(body) as { schedule?: { maintenance_windows?: unknown } }).schedule?.maintenance_windows
  } catch {
    return undefined
  }
  if (!Array.isArray(windows)) return undefined
  return windows
    .map((each) => ({ fromMs: Date.parse(each?.start_datetime), toMs: Date.parse(each?.end_datetime) }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
}
