// Shows all markets of an event on a day: last price, spread, volume and result of each, and the sum of the Yes prices.

import { useEffect, useRef } from 'preact/hooks'
import type { FoundMarket } from '../../src/client/backbook.d.ts'
import { colours } from '../charts/base/colours.ts'
import { Pane } from '../charts/pane/pane.tsx'
import { marketInfo } from '../data/answers.ts'
import { capital } from '../data/market-name.ts'
import { dateOf } from '../find/calendar.ts'
import { DayField } from '../panels/day-field.tsx'
import { Heads } from '../panels/heads.tsx'
import { Failed } from '../panels/states.tsx'
import { Link } from '../panels/top.tsx'
import { useWidth } from '../panels/use-size.ts'
import { WatchButton } from '../panels/watch-button.tsx'
import { go } from '../state/address.ts'
import { percentText, sizeText, UNKNOWN } from '../state/number-text.ts'
import { dayStartMs, type Span } from '../state/shown.ts'
import { instantText } from '../state/time-text.ts'
import { shownPrice } from '../state/units.ts'
import { type EventView, marketView } from '../state/view.ts'
import type { Venue } from '../venues.ts'
import { bucketFor, eventBuckets, eventMarkets } from './event-answers.ts'
import { type EventRow, eventRows, type Sum, sumOfYes } from './event-rows.ts'
import { SparkLine } from './spark-line.tsx'

const SUM_PX = 180

export function EventPage({ view }: { view: EventView }) {
  const { venue, event, untilMs = Infinity } = view
  const { value: markets, failure } = eventMarkets(venue, event)
  const known = markets?.[0]?.event?.title ?? null
  const title = known ?? event
  useEffect(() => {
    document.title = `${title} · backbook`
  }, [title])
  const dates = (markets ?? []).flatMap(({ end_date }) => end_date ?? []).sort()
  const date = view.date ?? (untilMs < Infinity ? dateOf(untilMs) : dates.at(-1))
  return (
    <main class="event">
      <h1>{title}</h1>
      <p class="quiet facts">
        {venue} · {event}
        {markets !== null && markets.length > 0 && <WatchButton item={{ venue, event, title: known }} />}
      </p>
      {failure !== null && <Failed failure={failure} />}
      {markets !== null && date === undefined && <p class="quiet">Nothing is stored of the markets of this event.</p>}
      {markets !== null && date !== undefined && (
        <>
          <DayField date={date} onChoose={(chosen) => go({ ...view, date: chosen })} />
          {untilMs < Infinity && (
            <p class="quiet">
              Shows only what had happened by {instantText(untilMs, 'UTC')} UTC.{' '}
              <Link to={{ page: 'event', venue, event, date }}>Show what is later</Link>
            </p>
          )}
          <OfDay {...{ venue, event, date, markets, untilMs }} />
        </>
      )}
    </main>
  )
}

type DayProps = { venue: Venue; event: string; date: string; markets: readonly FoundMarket[]; untilMs: number }

function OfDay({ venue, event, date, markets, untilMs }: DayProps) {
  const bucketMs = bucketFor(markets.length)
  const requested = { venue, event, date, markets, bucketMs, untilMs }
  const quotes = eventBuckets(requested, 'orderbook-summary')
  const trades = eventBuckets(requested, 'trade-summary')
  const failure = quotes.failure ?? trades.failure
  // None of the markets has stored data on this day.
  if (failure !== null && failure.status === 404) return <p class="quiet">Nothing is stored of this day.</p>
  if (failure !== null) return <Failed failure={failure} />
  if (quotes.value === null || trades.value === null) return <div aria-busy="true">…</div>
  const rows = eventRows(markets, quotes.value, trades.value)
  const { times, sum, count } = sumOfYes(rows)
  if (times.length === 0) return <p class="quiet">Nothing is stored of this day.</p>
  const span = { fromMs: times[0]!, toMs: times.at(-1)! + bucketMs }
  return (
    <>
      <div class="scrolled-aside">
        <table class="list">
          <Heads
            names={['market', 'last', '%', 'spread', 'volume', 'mid over the day', 'result']}
            numbers={['last', '%', 'spread', 'volume']}
          />
          <tbody>
            {rows.map((row) => (
              <Row key={row.market} {...{ venue, row, span, bucketMs, untilMs }} />
            ))}
          </tbody>
        </table>
      </div>
      {count > 1 && <SumChart {...{ times, sum, count, span, bucketMs }} />}
    </>
  )
}

type RowProps = { venue: Venue; row: EventRow; span: Span; bucketMs: number; untilMs: number }

function Row({ venue, row, span, bucketMs, untilMs }: RowProps) {
  const { market, asset, title, isStored, last, spread, volume, times, mids } = row
  const book = { venue, market, asset }
  const isHiding = untilMs < Infinity
  const result = isHiding ? null : (marketInfo(book).value?.result ?? null)
  const shown = { fromMs: dayStartMs(span.fromMs), ...(isHiding && { atMs: untilMs, hidesFuture: true }) }
  return (
    <tr>
      <td>
        {isStored && !(isHiding && times.length === 0) ? <Link to={marketView(book, shown)}>{title}</Link> : title}
      </td>
      <td class="number">{shownPrice(last)}</td>
      <td class="number">{percentText(last)}</td>
      <td class="number">{shownPrice(spread)}</td>
      <td class="number">{sizeText(volume)}</td>
      <td>
        <SparkLine {...{ times, mids, span, bucketMs }} />
      </td>
      <td>{result === null ? UNKNOWN : capital(result)}</td>
    </tr>
  )
}

/** Charts the sum of the Yes prices. For mutually exclusive markets it should be a dollar; a difference may allow an
 *  arbitrage. */
function SumChart({ times, sum, count, span, bucketMs }: Sum & { span: Span; bucketMs: number }) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const known = sum.filter((each) => !Number.isNaN(each))
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const room = Math.max(0.01, (high - low) * 0.15)
  return (
    <section>
      <h2>
        Sum of the Yes prices <span class="quiet">mids of {count} markets, where all of them are known</span>
      </h2>
      <div ref={place}>
        {known.length === 0 ? (
          <p class="quiet">At no time of this day did all of them have a bid and an ask.</p>
        ) : (
          width > 0 && (
            <Pane
              label="Sum of the Yes prices"
              heightPx={SUM_PX}
              span={span}
              zone="UTC"
              values={{ low: low - room, high: high + room }}
              valueText={(dollars) => shownPrice(Number(dollars.toFixed(4)), 0)}
              data={[times, sum]}
              lines={[{ stroke: colours().bid, width: 1.5 }]}
              resolutionMs={bucketMs}
              hasTimeAxis
            />
          )
        )}
      </div>
    </section>
  )
}
