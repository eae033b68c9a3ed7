// What is stored, by day and by market, and what was looked at before.

import { useState } from 'preact/hooks'
import { capital } from '../data/market-name.ts'
import type { Day } from '../find/calendar.ts'
import { BUSY_BY, type BusyBy, busiestMarkets, type CalendarDay, venueCalendar } from '../find/finding.ts'
import { Days } from '../panels/days/days.tsx'
import { Legend } from '../panels/days/legend.tsx'
import { Failed } from '../panels/states.tsx'
import { Link } from '../panels/top.tsx'
import { go } from '../state/address.ts'
import { showDialog } from '../state/dialogs.ts'
import { countedText, countText, shortId, sizeText } from '../state/number-text.ts'
import { durationText } from '../state/time-text.ts'
import { marketView, parseView, type StartView, VENUES, type Venue } from '../state/view.ts'
import { Recent, Watched } from './listed-cards.tsx'

export function StartPage({ view }: { view: StartView }) {
  const [by, setBy] = useState<BusyBy>('records')
  const calendars = VENUES.map((venue) => ({ venue, ...venueCalendar(venue) }))
  // Without a key neither is to be had: said once.
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
            // A day that only the other venue has: this one shows its newest.
            const isOthers = view.date !== undefined && !isStoredOn(days, view.date) && isAnyStored(view.date)
            const date = (isOthers ? undefined : view.date) ?? value?.to ?? null
            return (
              <section key={venue} aria-label={capital(venue)}>
                <h2>{capital(venue)}</h2>
                {failure !== null && <Failed failure={failure} />}
                {value?.data_count === 0 && <p class="quiet">Nothing is stored of this venue.</p>}
                {days.length > 0 && (
                  <>
                    <p class="quiet figures">{toldOf(days)}</p>
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
                {date !== null && days.length > 0 && <Busiest venue={venue} date={date} by={by} onBy={setBy} />}
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

function toldOf(days: readonly CalendarDay[]): string {
  const stored = days.filter(({ records }) => records > 0)
  const records = stored.reduce((sum, day) => sum + day.records, 0)
  const newest = days.at(-1)!.date
  return `${countedText(stored.length, 'day')} from ${days[0]!.date} to ${newest}, ${countedText(records, 'record')}`
}

function dayOf({ date, condition, records, gaps, gap_ms, incidents, markets }: CalendarDay): Day {
  const faults = [...(gaps > 0 ? [`${countedText(gaps, 'gap')}, ${durationText(gap_ms)}`] : []), ...incidents]
  const held = markets > 0 ? [countedText(markets, 'market')] : []
  return { date, condition, records, faults: [...held, ...faults].join(', ') }
}

function Busiest(props: { venue: Venue; date: string; by: BusyBy; onBy: (by: BusyBy) => void }) {
  const { venue, date, by, onBy } = props
  const { value, failure } = busiestMarkets(venue, date, by)
  if (failure !== null) return <Failed failure={failure} />
  return (
    <>
      <h3>
        <span>Busiest on {date}</span>
        <fieldset class="choices">
          <legend class="unseen">Busiest by</legend>
          {BUSY_BY.map((each) => (
            <button key={each} type="button" aria-pressed={each === by} onClick={() => onBy(each)}>
              {each}
            </button>
          ))}
        </fieldset>
      </h3>
      {value?.data_count === 0 && <p class="quiet">Nothing is stored of this day.</p>}
      {value !== null && value.data_count > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">market</th>
              <th scope="col" class="number">
                records
              </th>
              <th scope="col" class="number">
                trades
              </th>
              <th scope="col" class="number">
                contracts
              </th>
              <th scope="col" class="number">
                gaps
              </th>
            </tr>
          </thead>
          <tbody>
            {value.data.map(({ market, title, records, trades, volume, gaps, gap_ms }) => (
              <tr key={market}>
                <td>
                  <Link to={marketView({ venue, market, asset: null }, { fromMs: Date.parse(date) })}>
                    {title ?? market}
                  </Link>
                  {title !== null && <span class="quiet mono id">{shortId(market)}</span>}
                </td>
                <td class="number">{countText(records)}</td>
                <td class="number">{countText(trades)}</td>
                <td class="number">{sizeText(volume)}</td>
                <td class="number">{gaps === 0 ? '0' : `${countText(gaps)} (${durationText(gap_ms)})`}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
