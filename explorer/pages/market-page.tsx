// One market over time, with the book at the cursor beside it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { DayChart } from '../charts/day-chart.tsx'
import { coverage, marketInfo } from '../data/answers.ts'
import { MarketDays } from '../panels/days/market-days.tsx'
import { lazy } from '../panels/lazy.tsx'
import { Failed } from '../panels/states.tsx'
import { adjust } from '../state/address.ts'
import { dateOf } from '../state/calendar.ts'
import { noteRecent } from '../state/recent.ts'
import { closeOf, shownSpan } from '../state/shown.ts'
import type { MarketView } from '../state/view.ts'
import { TakeBar } from '../take/take-bar.tsx'

const Ladder = lazy(async () => (await import('../panels/ladder.tsx')).Ladder)
const Player = lazy(async () => (await import('../panels/player.tsx')).Player)
const CoveragePanel = lazy(async () => (await import('../panels/coverage/coverage-panel.tsx')).CoveragePanel)
const Messages = lazy(async () => (await import('../panels/messages.tsx')).Messages)

export function MarketPage({ view }: { view: MarketView }) {
  const { book } = view
  const info = marketInfo(book)
  const stored = coverage(book)
  const assets = assetsOf(view, info.value, stored.value)
  const [firstAsset] = assets
  useEffect(() => {
    if (book.venue === 'polymarket' && book.asset === null && firstAsset)
      adjust({ book: { ...book, asset: firstAsset.id } })
  })
  const isStored = stored.value?.has_data === true
  const title = info.value?.title ?? null
  useEffect(() => {
    if (isStored) noteRecent({ venue: book.venue, market: book.market, title })
  }, [isStored, title])
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const span = shownSpan(view, stored.value?.dates ?? [])
  const isReady = span !== null && (book.venue === 'kalshi' || book.asset !== null)
  const stretch = { ...view, atMs: view.atMs ?? (span && closeOf(stored.value?.dates ?? [], span)) }
  const date = span === null ? null : dateOf((span.fromMs + span.toMs) / 2)
  const day = stored.value?.dates.find((each) => each.date === date)
  return (
    <main class="market">
      <header>
        <h1>{info.value?.title ?? book.market}</h1>
        <p class="quiet">{[book.venue, book.market].join(' · ')}</p>
        {assets.length > 1 && (
          <select
            aria-label="Outcome"
            value={book.asset ?? ''}
            onChange={({ currentTarget }) => adjust({ book: { ...book, asset: currentTarget.value } })}
          >
            {assets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        {isReady && <TakeBar shown={view} span={span} title={title ?? book.market} />}
      </header>
      {stored.failure !== null && <Failed failure={stored.failure} />}
      {stored.value !== null && <MarketDays view={view} stored={stored.value} span={span} />}
      <div class="course">
        <div class="panes" ref={place}>
          {isReady && width > 0 && <DayChart book={book} stretch={view} span={span} widthPx={width} />}
        </div>
        {isReady && <Player view={view} span={span} />}
      </div>
      <aside>{isReady && <Ladder book={book} stretch={stretch} />}</aside>
      {isReady && view.showsMessages && <Messages book={book} stretch={stretch} />}
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

type Asset = { id: string; name: string }

/** The outcomes as the venue names them, or the books that are stored. */
function assetsOf(
  { book }: MarketView,
  info: ReturnType<typeof marketInfo>['value'],
  stored: ReturnType<typeof coverage>['value'],
): Asset[] {
  if (book.venue !== 'polymarket') return []
  const named = (info?.outcomes ?? []).flatMap(({ asset_id: id, outcome: name }) => (id === null ? [] : [{ id, name }]))
  if (named.length > 0) return named
  const ids = (stored?.dates.at(-1)?.books ?? []).map((each) => ('asset_id' in each ? String(each.asset_id) : ''))
  return ids.filter(Boolean).map((id) => ({ id, name: `${id.slice(0, 8)}…` }))
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const node = place.current!
    const watch = new ResizeObserver(() => setWidth(node.clientWidth))
    watch.observe(node)
    return () => watch.disconnect()
  }, [])
  return width
}
