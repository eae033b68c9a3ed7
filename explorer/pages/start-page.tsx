// Shows what is stored, by day and by market, and what was recently viewed.

import { useState } from 'preact/hooks'
import { capital } from '../data/market-name.ts'
import type { Day } from '../find/calendar.ts'
import { type CalendarDay, marketsOf, venueCalendar } from '../find/finding.ts'
import { DayMarkets } from '../panels/days/day-markets.tsx'
import { Days } from '../panels/days/days.tsx'
import { Legend } from '../panels/days/legend.tsx'
import { Failed } from '../panels/states.tsx'
import { Link } from '../panels/top.tsx'
import { go } from '../state/address.ts'
import { showDialog } from '../state/dialogs.ts'
import { countedText } from '../state/number-text.ts'
import { durationText } from '../state/time-text.ts'
import { type MarketsView, type Order, parseView, type StartView, VENUES } from '../state/view.ts'
import type { Venue } from '../venues.ts'
import { Recent, Watched } from './listed-cards.tsx'

export function StartPage({ view }: { view: StartView }) {
  const [by, setBy] = useState<Order>('records')
  const calendars = VENUES.map((venue) => ({ venue, ...venueCalendar(venue) }))
  // Without a key both requests fail, so show the failure once.
  const refused = calendars.every(({ failure }) => failure !== null) ? calendars[0]!.failure : null
  const isStoredOn = (days: readonly CalendarDay[], date: string) =>
    days.some((day) => day.date === date && day.records > 0)
  const isAnyStored = (date: string) => calendars.some(({ value }) => isStoredOn(value?.data ?? [], date))
  const isEmpty = calendars.every(({ value }) => value?.data_count === 0)
  return (
    <main class="start">
      <header>
        <h1>Order-book history</h1>
        <button type="button" class="find" aria-keyshortcuts="/ Control+K" onClick={() => showDialog('search')}>
          <span>Find a market: ticker, slug, address, or words of its question</span>
          <kbd>/</kbd>
        </button>
      </header>
      {refused !== null && <Failed failure={refused} />}
      {isEmpty && <NothingStored />}
      <Watched />
      <Recent />
      {refused === null && !isEmpty && (
        <div class="venues">
          {calendars.map(({ venue, value, failure }) => {
            const days = value?.data ?? []
            // If only the other venue has data on the chosen day, this venue shows its own newest day.
            const isOtherVenues = view.date !== undefined && !isStoredOn(days, view.date) && isAnyStored(view.date)
            const date = (isOtherVenues ? undefined : view.date) ?? value?.to ?? null
            return (
              <section key={venue} aria-label={capital(venue)}>
                <h2>{capital(venue)}</h2>
                {failure !== null && <Failed failure={failure} />}
                {value?.data_count === 0 && <p class="quiet">Nothing is stored of this venue.</p>}
                {days.length > 0 && (
                  <>
                    <p class="quiet">{daysText(days)}</p>
                    <Days
                      label={`Days of ${capital(venue)}`}
                      layout="weeks"
                      days={days.map(dayOf)}
                      chosen={date}
                      onChoose={(chosen) => go({ page: 'start', date: chosen })}
                    />
                    <Legend />
                  </>
                )}
                {date !== null && days.length > 0 && <Busiest venue={venue} date={date} by={by} onOrder={setBy} />}
              </section>
            )
          })}
        </div>
      )}
      <footer class="quiet">
        <Link to={{ page: 'status' }}>Status</Link>
        <Link to={parseView('/explore/compare', '')}>Compare two books</Link>
        <Link to={{ page: 'keys' }}>Keys and usage</Link>
        <a href="/docs">Documentation</a>
      </footer>
    </main>
  )
}

function daysText(days: readonly CalendarDay[]): string {
  const stored = days.filter(({ records }) => records > 0)
  const records = stored.reduce((sum, day) => sum + day.records, 0)
  const [first, last] = [days[0]!.date, days.at(-1)!.date]
  const when = first === last ? `One day, ${first}` : `${countedText(stored.length, 'day')} from ${first} to ${last}`
  return `${when}, ${countedText(records, 'record')}`
}

function dayOf({ date, condition, records, gaps, gap_ms, incidents, markets }: CalendarDay): Day {
  const faults = [...(gaps > 0 ? [`${countedText(gaps, 'gap')}, ${durationText(gap_ms)}`] : []), ...incidents]
  const held = markets > 0 ? [countedText(markets, 'market')] : []
  return { date, condition, records, faults: [...held, ...faults].join(', ') }
}

const BUSIEST = 20

type BusiestProps = { venue: Venue; date: string; by: Order; onOrder: (by: Order) => void }

function Busiest({ venue, date, by, onOrder }: BusiestProps) {
  const all: Required<MarketsView> = { page: 'markets', venue, date, by, words: '', offset: 0 }
  const { value: page, failure } = marketsOf(all, BUSIEST)
  if (failure !== null) return <Failed failure={failure} />
  return (
    <>
      <h3>Busiest on {date}</h3>
      {page?.data_count === 0 && <p class="quiet">Nothing is stored of this day.</p>}
      {page !== null && page.data_count > 0 && (
        <>
          <DayMarkets {...{ venue, page, by, onOrder }} />
          <p>
            <Link to={all}>{`All ${countedText(page.total_count, 'market')} of this day`}</Link>
          </p>
        </>
      )}
    </>
  )
}

const NothingStored = () => (
  <div class="note">
    <p>Nothing is stored yet.</p>
    <p class="quiet">
      <code class="mono">backbook ingest --data DIR CAPTURE…</code> loads captures,{' '}
      <code class="mono">backbook record</code> records the venues, and <code class="mono">backbook demo</code> makes a
      synthetic day. <a href="/docs/get-data.md">How to get data</a>
    </p>
  </div>
)
