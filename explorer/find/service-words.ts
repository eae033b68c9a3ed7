// Describes the state of the server in words.

import { bytesText, countedText, countText } from '../state/number-text.ts'
import { durationText } from '../state/time-text.ts'
import { SHOWN } from '../venues.ts'
import type { Day } from './calendar.ts'

export type State = 'ok' | 'degraded' | 'down' | 'idle'

export const STATES: Record<State, string> = {
  ok: 'works',
  degraded: 'works with limits',
  down: 'does not work',
  idle: 'idle',
}

export const OVERALL: Record<State, string> = {
  ok: 'Everything works',
  degraded: 'Something does not work as it should',
  down: 'The service is down',
  idle: 'Nothing is stored yet',
}

const COMPONENTS: Record<string, string> = {
  storage: 'Stored data',
  disk: 'Disk',
  descriptors: 'Open files and connections',
  workers: 'Threads that answer',
  accounts: 'Keys and usage',
  recorder: 'Recorder',
  ...Object.fromEntries(
    Object.entries(SHOWN).flatMap(([venue, { label }]) => [
      [`ingestion_${venue}`, `Data of ${label}`],
      [`recorder_${venue}`, `Recorder of ${label}`],
    ]),
  ),
}

/** Returns the name of a component; unknown components keep the server's name. */
export const componentText = (name: string): string => COMPONENTS[name] ?? name.replaceAll('_', ' ')

/** Describes whether a venue is being recorded, from the public state. */
export function recordedText(recorder: State | undefined, ofVenue: State | undefined): string {
  if (recorder === undefined) return 'No recorder runs here'
  if (recorder === 'idle') return 'The recorder is stopped'
  if (recorder === 'down') return 'The recorder ended unexpectedly'
  if (ofVenue === undefined) return 'Not recorded here'
  if (ofVenue === 'down') return 'Should be recorded, but no connection is open'
  return ofVenue === 'ok' ? 'Being recorded' : 'Being recorded, in part'
}

/** Returns a text such as `0 of 1,200 requests failed` or `3 of 1,200 requests failed (0.25 %)`. */
export function failedText(failed: number, all: number): string {
  const share = failed === 0 ? '' : ` (${((100 * failed) / all).toPrecision(2)} %)`
  return `${countText(failed)} of ${countedText(all, 'request')} failed${share}`
}

type PastDay = { date: string; condition: Day['condition']; gaps: number; gap_ms: number; incidents: readonly string[] }

export function pastDay({ date, condition, gaps, gap_ms: gapMs, incidents }: PastDay): Day {
  const faults = [
    ...(gaps === 0 ? [] : [`${countedText(gaps, 'gap')} of its markets, ${durationText(gapMs)} in all`]),
    ...incidents.map((name) => name.replaceAll('_', ' ')),
  ]
  return { date, condition, records: null, faults: faults.join(', ') }
}

/** Returns a text such as `The last 90 days: 88 without a gap, 1 degraded, 1 missing`. */
export function pastText(days: readonly PastDay[]): string {
  const count = (condition: Day['condition']) => days.filter((day) => day.condition === condition).length
  const [whole, degraded, missing] = [count('available'), count('degraded'), count('missing')]
  if (missing === days.length) return `Nothing is stored of the last ${countedText(days.length, 'day')}`
  const parts = [
    `${countText(whole)} without a gap`,
    ...(degraded === 0 ? [] : [`${countText(degraded)} degraded`]),
    ...(missing === 0 ? [] : [`${countText(missing)} missing`]),
  ]
  return `The last ${countedText(days.length, 'day')}: ${parts.join(', ')}`
}

/** Formats a metric of a component by the unit in its name. */
export function figureText(name: string, value: number | null): string {
  if (value === null) return '–'
  if (name.endsWith('_timestamp')) return new Date(value).toISOString().replace('T', ' ').slice(0, 19)
  if (name.endsWith('_seconds')) return durationText(value * 1_000)
  if (/_ms(?:_|$)/.test(name)) return `${countText(Math.round(value * 10) / 10)} ms`
  return name.endsWith('_bytes') ? bytesText(value) : countText(value)
}
