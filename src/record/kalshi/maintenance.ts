// When Kalshi has announced that it is away: a weekly window that is set, and the windows that its REST tells
// (`/exchange/schedule`).

import type { WeeklyWindow } from '../config/record-config.ts'
import { isInWindow } from './weekly-window.ts'

export const SCHEDULE_PATH = '/exchange/schedule'

/** Unix ms; the end is not in it. */
export type Window = { fromMs: number; toMs: number }

export class Maintenance {
  readonly #weekly: WeeklyWindow | null
  #announced: Window[] = []

  constructor(weekly: WeeklyWindow | null) {
    this.#weekly = weekly
  }

  announce(windows: Window[]): void {
    this.#announced = windows
  }

  isPlanned(atMs: number): boolean {
    if (this.#weekly !== null && isInWindow(this.#weekly, atMs)) return true
    return this.#announced.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  }
}

/** Undefined where the body is no schedule. Windows whose times cannot be read are left out. */
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
