// Answers about many markets, cached while the page is open: search results, calendars, and the markets and events of a
// venue.

import type {
  ActiveMarkets,
  EventList,
  FoundMarket,
  KalshiCalendar,
  KalshiCalendarDay,
  Search,
  SeriesList,
} from '../../src/client/backbook.d.ts'
import { AnswerCache, type Entry } from '../data/answer-cache.ts'
import { askJson, Failure } from '../data/ask.ts'
import { type MarketsView, VENUES } from '../state/view.ts'
import type { Venue } from '../venues.ts'

export type { ActiveMarkets, FoundMarket }
/** The fields that both venues have. */
export type CalendarDay = KalshiCalendarDay
export type Calendar = KalshiCalendar

const COUNT_MAX = 100
const searches = new AnswerCache<readonly FoundMarket[]>(COUNT_MAX, () => 1)
const calendars = new AnswerCache<Calendar>(COUNT_MAX, () => 1)
const busy = new AnswerCache<ActiveMarkets>(COUNT_MAX, () => 1)
const series = new AnswerCache<SeriesList['data']>(COUNT_MAX, () => 1)
const events = new AnswerCache<EventList>(COUNT_MAX, () => 1)

/** Returns the markets found. `venue` is null to search both venues. */
export function foundMarkets(requested: string, venue: Venue | null): Entry<readonly FoundMarket[]> {
  const name = `${venue ?? ''} ${requested}`
  const entry = searches.take(name, (signal) => search(requested, venue, signal))
  // Only one search is shown at a time, so cancel the previous ones.
  searches.want(searches, new Set([name]))
  return entry
}

export const venueCalendar = (venue: Venue): Entry<Calendar> =>
  calendars.take(venue, (signal) => askJson(`/${venue}/calendar`, {}, signal))

/** Returns a page of the markets of a date. */
export function marketsOf(
  { venue, date, by, words, offset }: Required<MarketsView>,
  limit: number,
): Entry<ActiveMarkets> {
  const query = { date, by, q: words === '' ? null : words, offset, limit }
  return busy.take(`${venue} ${JSON.stringify(query)}`, (signal) => askJson(`/${venue}/markets/active`, query, signal))
}

export const seriesOf = (venue: Venue): Entry<SeriesList['data']> =>
  series.take(venue, async (signal) => (await askJson<SeriesList>(`/${venue}/series`, {}, signal)).data)

/** Returns the first thousand events of a series within a category. */
export const eventsOf = (venue: Venue, group: { category: string | null; series: string | null }): Entry<EventList> =>
  events.take(`${venue} ${JSON.stringify(group)}`, (signal) =>
    askJson(`/${venue}/events`, { ...group, limit: 1_000 }, signal),
  )

async function search(q: string, venue: Venue | null, signal: AbortSignal): Promise<readonly FoundMarket[]> {
  try {
    return (await askJson<Search>('/search', { q, venue, limit: 50 }, signal)).data
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'scope_missing' && venue === null)) throw error
    // The key is valid for one venue only, and the answer does not name that venue: try each.
    const answers = await Promise.allSettled(VENUES.map((each) => search(q, each, signal)))
    const allowed = answers.find((answer) => answer.status === 'fulfilled')
    if (allowed === undefined) throw error
    return allowed.value
  }
}
