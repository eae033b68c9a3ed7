// Shows a market over time, with the book at the cursor beside it.

import { useEffect, useRef } from 'preact/hooks'
import { DayChart } from '../charts/day-chart.tsx'
import { outcomesOf } from '../data/outcomes.ts'
import { dateOf } from '../find/calendar.ts'
import { putRecent } from '../find/listed.ts'
import { MarketDays } from '../panels/days/market-days.tsx'
import { MarketFacts } from '../panels/facts/market-facts.tsx'
import { lazy } from '../panels/lazy.tsx'
import { OutcomeChoice } from '../panels/outcome-choice.tsx'
import { Failed } from '../panels/states.tsx'
import { useWidth } from '../panels/use-size.ts'
import { cursorBest } from '../replay/cursor-best.ts'
import { useRestingPlace } from '../replay/resting-place.ts'
import { adjust, go } from '../state/address.ts'
import type { MarketView } from '../state/view.ts'
import coverageSheet from '../styles/coverage.css' with { type: 'file' }
import messagesSheet from '../styles/messages.css' with { type: 'file' }
import { TakeBar } from '../take/take-bar.tsx'
import { useMarket } from './use-market.ts'

const Ladder = lazy(async () => (await import('../panels/ladder/ladder.tsx')).Ladder)
const Player = lazy(async () => (await import('../panels/player/player.tsx')).Player)
const CoveragePanel = lazy(
  async () => (await import('../panels/coverage/coverage-panel.tsx')).CoveragePanel,
  coverageSheet,
)
const Messages = lazy(async () => (await import('../panels/player/messages.tsx')).Messages, messagesSheet)
const Sales = lazy(async () => (await import('../panels/player/sales.tsx')).Sales, messagesSheet)

export function MarketPage({ view: given }: { view: MarketView }) {
  const { info, stored, title, name, view, horizon, dates, span, ready } = useMarket(given)
  const { book } = view
  const assets = outcomesOf(book, info.value, stored.value)
  const isStored = stored.value?.has_data === true
  useEffect(() => {
    if (isStored) putRecent({ venue: book.venue, market: book.market, title })
  }, [isStored, title])
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const restingMs = useRestingPlace(book, ready, dates, horizon)
  const stretch = { ...view, atMs: view.atMs ?? restingMs }
  const date = span === null ? null : dateOf((span.fromMs + span.toMs) / 2)
  const day = horizon === null ? dates.find((each) => each.date === date) : undefined
  const hasLadder = !view.hidden.includes('ladder')
  useEffect(() => {
    if (!hasLadder) cursorBest.value = null
  }, [hasLadder])
  const head = (
    <>
      <OutcomeChoice
        label="Outcome"
        book={book}
        begin={(first) => adjust({ book: first })}
        choose={(other) => go({ ...view, book: other })}
      />
      {stored.value !== null && (dates.length > 0 || !isStored) && <MarketDays view={view} dates={dates} span={span} />}
    </>
  )
  return (
    <main class={hasLadder ? 'market' : 'market wide'}>
      <header>
        <h1>{name}</h1>
        <MarketFacts info={info.value} view={view} />
        {ready !== null && <TakeBar shown={view} atMs={stretch.atMs} span={ready} title={name} stored={stored.value} />}
      </header>
      {stored.failure !== null && <Failed failure={stored.failure} />}
      {ready === null && head}
      <div class="course">
        <div class="panes" ref={place}>
          {ready !== null && width > 0 && (
            <DayChart book={book} stretch={view} span={ready} widthPx={width}>
              {head}
            </DayChart>
          )}
        </div>
        {ready !== null && <Player view={view} span={ready} />}
        {ready !== null && (view.showsMessages || view.showsTrades) && (
          <div class="records">
            {view.showsMessages && <Messages book={book} stretch={stretch} />}
            {view.showsTrades && <Sales book={book} stretch={stretch} />}
          </div>
        )}
      </div>
      {hasLadder && <aside>{ready !== null && <Ladder book={book} stretch={stretch} />}</aside>}
      {ready !== null && day !== undefined && (
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
