// Decides whether a time is in a weekly window of a time zone. Pure.

import { DAY_MS } from '../../../storage/units.ts'
import type { WeeklyWindow } from '../config/record-config.ts'

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
