// Lists all markets of a venue with stored data on a date: ordered, filtered by words, in pages.

import { useState } from 'preact/hooks'
import { capital } from '../data/market-name.ts'
import { marketsOf, venueCalendar } from '../find/finding.ts'
import { CHARACTERS_MAX } from '../find/search-text.ts'
import { DayField } from '../panels/day-field.tsx'
import { DayMarkets } from '../panels/days/day-markets.tsx'
import { lazy } from '../panels/lazy.tsx'
import { Failed } from '../panels/states.tsx'
import { go } from '../state/address.ts'
import { countedText, countText } from '../state/number-text.ts'
import type { MarketsView } from '../state/view.ts'

const Browse = lazy(async () => (await import('../panels/browse.tsx')).Browse)

const PAGE = 100

export function MarketsPage({ view }: { view: MarketsView }) {
  const { venue, words } = view
  const [isBrowsing, setBrowsing] = useState(false)
  const calendar = view.date === undefined ? venueCalendar(venue) : null
  const date = view.date ?? calendar?.value?.to ?? null
  const show = (change: Partial<MarketsView>) => go({ ...view, offset: 0, ...change })
  return (
    <main class="markets">
      <h1>Markets of {capital(venue)}</h1>
      <details class="browse" onToggle={({ currentTarget }) => setBrowsing(currentTarget.open)}>
        <summary>Browse by category</summary>
        {isBrowsing && <Browse venue={venue} />}
      </details>
      {calendar?.failure != null && <Failed failure={calendar.failure} />}
      {calendar?.value?.to === null && <p class="quiet">Nothing is stored of this venue.</p>}
      {date !== null && (
        <>
          <div class="asked">
            <DayField date={date} onChoose={(chosen) => show({ date: chosen })} />
            <label class="quiet">
              Filter{' '}
              <input
                type="search"
                value={words}
                maxLength={CHARACTERS_MAX}
                placeholder="Words of id, title, event or outcome"
                onChange={({ currentTarget: { value } }) => show({ words: value.trim() })}
              />
            </label>
          </div>
          <MarketsList view={{ ...view, date }} show={show} />
        </>
      )}
    </main>
  )
}

type ListProps = { view: Required<MarketsView>; show: (change: Partial<MarketsView>) => void }

function MarketsList({ view, show }: ListProps) {
  const { venue, by, words, offset } = view
  const { value: page, failure } = marketsOf(view, PAGE)
  if (failure !== null) return <Failed failure={failure} />
  if (page === null) return <p aria-busy="true">…</p>
  const { total_count: total, data_count: count, has_more: hasMore } = page
  if (total === 0)
    return (
      <p class="quiet">
        {words === '' ? 'Nothing is stored of this day.' : 'No market of this day has all of these words.'}
      </p>
    )
  const last = Math.floor((total - 1) / PAGE) * PAGE
  const turn = (by: number, isThere: boolean, name: string) => (
    <button
      type="button"
      disabled={!isThere}
      onClick={() => show({ offset: Math.max(0, Math.min(offset + by, last)) })}
    >
      {name}
    </button>
  )
  return (
    <>
      <p class="quiet" role="status">
        {countedText(total, 'market')}
        {count > 0 && count < total && `, ${countText(offset + 1)} to ${countText(offset + count)} are shown`}
      </p>
      <DayMarkets {...{ venue, page, by }} onOrder={(order) => show({ by: order })} />
      {count < total && (
        <p class="pages">
          {turn(-PAGE, offset > 0, `Previous ${PAGE}`)}
          {turn(PAGE, hasMore, `Next ${PAGE}`)}
        </p>
      )}
    </>
  )
}
