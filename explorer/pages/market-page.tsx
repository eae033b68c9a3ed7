// One market over time, with the book at the cursor beside it.

import { useEffect, useRef } from 'preact/hooks'
import { DayChart } from '../charts/day-chart.tsx'
import { coverage, marketInfo } from '../data/answers.ts'
import { titleOf } from '../data/market-name.ts'
import { outcomesOf } from '../data/outcomes.ts'
import { dateOf } from '../find/calendar.ts'
import { recent } from '../find/device-list.ts'
import { MarketDays } from '../panels/days/market-days.tsx'
import { MarketFacts } from '../panels/facts/market-facts.tsx'
import { lazy } from '../panels/lazy.tsx'
import { OutcomeChoice } from '../panels/outcome-choice.tsx'
import { Failed } from '../panels/states.tsx'
import { useWidth } from '../panels/use-width.ts'
import { useRestingPlace } from '../replay/resting-place.ts'
import { adjust, go } from '../state/address.ts'
import { horizonOf, passedDates } from '../state/horizon.ts'
import { type StoredDates, shownSpan } from '../state/shown.ts'
import type { MarketView } from '../state/view.ts'
import coverageSheet from '../styles/coverage.css' with { type: 'file' }
import messagesSheet from '../styles/messages.css' with { type: 'file' }
import { TakeBar } from '../take/take-bar.tsx'

const Ladder = lazy(async () => (await import('../panels/ladder/ladder.tsx')).Ladder)
const Player = lazy(async () => (await import('../panels/player/player.tsx')).Player)
const CoveragePanel = lazy(
  async () => (await import('../panels/coverage/coverage-panel.tsx')).CoveragePanel,
  coverageSheet,
)
const Messages = lazy(async () => (await import('../panels/player/messages.tsx')).Messages, messagesSheet)
const Sales = lazy(async () => (await import('../panels/player/sales.tsx')).Sales, messagesSheet)

export function MarketPage({ view: given }: { view: MarketView }) {
  const { book } = given
  const info = marketInfo(book)
  const stored = coverage(book)
  const assets = outcomesOf(book, info.value, stored.value)
  const isStored = stored.value?.has_data === true
  const title = info.value?.title == null ? null : titleOf(book, info.value)
  useEffect(() => {
    if (isStored) recent.put({ venue: book.venue, market: book.market, title })
  }, [isStored, title])
  useEffect(() => {
    document.title = `${title ?? book.market} · backbook`
  }, [title])
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const view = withCursor(given, stored.value?.dates ?? [])
  const horizon = horizonOf(view)
  const dates = passedDates(stored.value?.dates ?? [], horizon)
  const span = shownSpan(view, dates)
  const isReady = span !== null && (book.venue === 'kalshi' || book.asset !== null)
  const restingMs = useRestingPlace(book, isReady ? span : null, dates, horizon)
  const stretch = { ...view, atMs: view.atMs ?? restingMs }
  const date = span === null ? null : dateOf((span.fromMs + span.toMs) / 2)
  const day = horizon === null ? dates.find((each) => each.date === date) : undefined
  return (
    <main class="market">
      <header>
        <h1>{title ?? book.market}</h1>
        <MarketFacts book={book} info={info.value} zone={view.zone} isFutureHidden={view.hidesFuture} />
        <OutcomeChoice
          label="Outcome"
          book={book}
          begin={(first) => adjust({ book: first })}
          choose={(other) => go({ ...view, book: other })}
        />
        {isReady && (
          <TakeBar shown={view} atMs={stretch.atMs} span={span} title={title ?? book.market} stored={stored.value} />
        )}
      </header>
      {stored.failure !== null && <Failed failure={stored.failure} />}
      {stored.value !== null && (dates.length > 0 || !isStored) && <MarketDays view={view} dates={dates} span={span} />}
      <div class="course">
        <div class="panes" ref={place}>
          {isReady && width > 0 && <DayChart book={book} stretch={view} span={span} widthPx={width} />}
        </div>
        {isReady && <Player view={view} span={span} />}
        {isReady && (view.showsMessages || view.showsTrades) && (
          <div class="records">
            {view.showsMessages && <Messages book={book} stretch={stretch} />}
            {view.showsTrades && <Sales book={book} stretch={stretch} />}
          </div>
        )}
      </div>
      <aside>{isReady && <Ladder book={book} stretch={stretch} />}</aside>
      {isReady && day !== undefined && (
        <CoveragePanel
          book={book}
          day={day}
          zone={view.zone}
          outcomeOf={(asset) => assets.find(({ id }) => id === asset)?.name}
        />
      )}
    </main>
  )
}

/** What hides the future hides it from a cursor on: without one, from the beginning of what is shown. */
function withCursor(view: MarketView, dates: StoredDates): MarketView {
  if (!view.hidesFuture || view.atMs !== null) return view
  return { ...view, atMs: shownSpan(view, dates)?.fromMs ?? null }
}
