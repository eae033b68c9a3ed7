// Shows only the chart of a market, for a frame in another page, with a link to the whole page. The link contains no
// key.

import { useRef } from 'preact/hooks'
import { DayChart } from '../charts/day-chart.tsx'
import { OutcomeChoice } from '../panels/outcome-choice.tsx'
import { Failed } from '../panels/states.tsx'
import { useWidth } from '../panels/use-size.ts'
import { adjust } from '../state/address.ts'
import { type MarketView, printView } from '../state/view.ts'
import { useMarket } from './use-market.ts'

export function EmbeddedPage({ view: given }: { view: MarketView }) {
  const { stored, name, view, ready } = useMarket(given)
  const { book } = view
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const choose = (other: typeof book) => adjust({ book: other })
  return (
    <main class="embedded">
      <header>
        <h1>{name}</h1>
        <OutcomeChoice label="Outcome" book={book} begin={choose} choose={choose} />
        <a href={printView({ ...given, isEmbedded: false })} target="_blank" rel="noopener noreferrer">
          Open in backbook
        </a>
      </header>
      {stored.failure !== null && <Failed failure={stored.failure} />}
      {stored.value?.has_data === false && <p class="note">Nothing is stored of this market.</p>}
      <div ref={place}>
        {ready !== null && width > 0 && <DayChart book={book} stretch={view} span={ready} widthPx={width} isBare />}
      </div>
    </main>
  )
}
