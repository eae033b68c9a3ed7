// GET /monitoring/history: how the last 90 days of each venue were recorded, and how many requests failed, for a public
// status page. Reads stored sums.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { historyAnswer } from '../answers/server-state.ts'
import { conditionOf } from '../day-condition.ts'
import type { RequestStats } from '../observe/stats/request-stats.ts'
import { operation } from '../openapi/operation.ts'

const DAYS = 90
const FAILED_FROM = 500

type Finding = Pick<Catalogue, 'calendar' | 'calendarEnds'>
type Dependencies = { catalogue: Finding; requests: Pick<RequestStats, 'all'>; nowMs: () => number }

const about = operation({
  id: 'monitoringHistory',
  summary: 'How the last 90 days of each venue were recorded',
  description: 'Also the number of failed requests of this process. It names no market.',
  tag: 'service',
  access: 'public',
  answer: () => ({ description: 'The days', schema: historyAnswer }),
  failures: ['block_corrupt', 'store_unavailable'],
})

export const monitoringHistoryRoutes = ({ catalogue, requests, nowMs }: Dependencies) =>
  new Elysia().get(
    '/monitoring/history',
    async () => {
      const to = utcDate(nowMs())
      const range = { from: utcDate(dateStartMs(to) - (DAYS - 1) * DAY_MS), to }
      const venues = await Promise.all(VENUES.map((venue) => venueOf(catalogue, venue, range)))
      return { ...range, ...requestsOf(requests), venues }
    },
    { detail: about },
  )

async function venueOf(catalogue: Finding, venue: Venue, { from, to }: { from: string; to: string }) {
  const ends = await catalogue.calendarEnds(venue)
  const sums = new Map((await catalogue.calendar(venue, { from, to })).map((each) => [each.date, each]))
  const first = ends === undefined || ends.from < from ? from : ends.from
  const days = ends === undefined ? [] : datesFrom(first, to).map((date) => dayOf(venue, date, sums.get(date)))
  return { venue, first_date: ends?.from ?? null, last_date: ends?.to ?? null, days }
}

function dayOf(venue: Venue, date: string, sums: { gaps: number; gapMs: number } | undefined) {
  const { condition, incidents } = conditionOf(venue, date, sums?.gaps)
  return { date, condition, gaps: sums?.gaps ?? 0, gap_ms: sums?.gapMs ?? 0, incidents }
}

function datesFrom(from: string, to: string): string[] {
  const dates: string[] = []
  for (let ms = dateStartMs(from); ms <= dateStartMs(to); ms += DAY_MS) dates.push(utcDate(ms))
  return dates
}

function requestsOf(stats: Pick<RequestStats, 'all'>) {
  let [all, failed] = [0, 0]
  for (const route of stats.all()) {
    for (const { status, requests } of route.statusCounts()) {
      all += requests
      if (status >= FAILED_FROM) failed += requests
    }
  }
  return { requests: all, failed_requests: failed }
}
