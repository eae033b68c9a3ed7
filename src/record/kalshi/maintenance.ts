// Kalshi's maintenance windows: a configured weekly one, and those that its REST announces (`/exchange/schedule`).

import { DAY_MS } from '../../../storage/units.ts'
import type { WeeklyWindow } from '../config/venue-config.ts'

export const SCHEDULE_PATH = '/exchange/schedule'

/** A window in Unix ms, without its end. */
type Window = { fromMs: number; toMs: number }

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

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const DAY_MINUTES = DAY_MS / 60_000

/** Whether `atMs`, Unix ms, is in the window. The window does not include its end. */
export function isInWindow({ day, fromMinute, toMinute, timeZone }: WeeklyWindow, atMs: number): boolean {
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(atMs)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const now = DAYS.indexOf(part('weekday')) * DAY_MINUTES + Number(part('hour')) * 60 + Number(part('minute'))
  const length = toMinute > fromMinute ? toMinute - fromMinute : toMinute - fromMinute + DAY_MINUTES
  const since = (now - day * DAY_MINUTES - fromMinute + 7 * DAY_MINUTES) % (7 * DAY_MINUTES)
  return since < length
}
