// Shows the facts above the ladder: the book's time, trust and age, and the last trade.

import type { Book } from '../../data/answers.ts'
import { countTradesAt, tradeAt } from '../../data/columns/trade-columns.ts'
import { peekDayTrades } from '../../data/replay/day-trades.ts'
import type { LastTrade } from '../../replay/cursor-best.ts'
import type { Trust } from '../../replay/replay-book.ts'
import { sizeText, UNKNOWN } from '../../state/number-text.ts'
import { clockText, dateText, durationText, zoneText } from '../../state/time-text.ts'
import { sideMark, sideWord } from '../../state/trade-text.ts'
import { shownPrice } from '../../state/units.ts'
import type { BookId, Stretch } from '../../state/view.ts'

const TRUST: Record<Trust, { short: string; long: string }> = {
  established: { short: 'established', long: 'Established by a snapshot: every level is known' },
  observed: { short: 'observed', long: 'No snapshot yet: levels as changes have mentioned them so far' },
  doubtful: { short: 'doubtful', long: 'Within an inferred gap: something was lost, until the next snapshot' },
  lost: { short: 'lost', long: 'Lost since a gap: unknown until the next snapshot' },
  unknown: { short: 'unknown', long: 'This book has no record this early' },
}

type Levels = readonly (readonly [price: number, size: number])[]

export type FactsProps = {
  stretch: Stretch
  bids: Levels
  asks: Levels
  trust: Trust | null
  /** End of the loss that makes the book doubtful or lost, Unix ms; null if unknown. */
  untilMs: number | null
  /** Whether `trust` is confirmed for exactly the cursor's position. Otherwise it is the trust of a position nearby. */
  isSure: boolean
  /** The API's book at exactly the cursor's position; null until it has loaded. */
  facts: Book | null
  trade: LastTrade | null
  /** Dollars; null if unknown. */
  tick: number | null
  /** Number of decimals of prices in cents. */
  decimals: number
  /** When a level last changed, Unix ms; null if unknown. */
  lastMs: number | null
}

export function LadderFacts(props: FactsProps) {
  const { stretch, bids, asks, trust, untilMs, isSure, facts, trade, tick, decimals, lastMs } = props
  const { atMs, zone } = stretch
  const asOfMs = facts?.as_of ?? lastMs
  const [bid, ask] = [bids[0], asks[0]]
  return (
    <header>
      <h2>
        <span class="quiet">{dateText(atMs!, zone)}</span> <time>{clockText(atMs!, zone)}</time>{' '}
        <span class="quiet">{zoneText(zone, atMs!)}</span>
      </h2>
      <p class="unseen" aria-live="polite">
        {facts !== null &&
          `${clockText(atMs!, zone)}: ${TRUST[facts.trust].short}, ${spoken('bid', bid)}, ${spoken('ask', ask)}`}
      </p>
      <p class="chips">
        {trust !== null && (
          <span class={`chip ${trust}${isSure ? '' : ' unsure'}`} title={TRUST[trust].long}>
            {TRUST[trust].short}
            {untilMs !== null && ` until ${clockText(untilMs, zone, untilMs % 1_000 === 0 ? 1_000 : 1)}`}
          </span>
        )}
        {trust === 'established' && isSure && bid === undefined && ask === undefined && (
          <span class="chip" title="It is known that nothing rests on either side">
            empty
          </span>
        )}
        {bid !== undefined && ask !== undefined && bid[0] >= ask[0] && (
          <span class="chip crossed" title="Bids reach asks: some levels are gone, but no message said so">
            crossed
          </span>
        )}
        {facts?.verified === true && (
          <span class="chip agreed" title="The venue’s own hash of this very book agrees">
            hash agrees
          </span>
        )}
        {facts?.verified === false && (
          <span class="chip differs" title="The venue’s own hash of this very book does not agree">
            hash differs
          </span>
        )}
        {asOfMs !== null && (
          <span class="quiet" title="Since the last record of this book">
            {durationText(Math.max(0, atMs! - asOfMs))} old
          </span>
        )}
      </p>
      <dl>
        <dt>best</dt>
        <dd>
          <span class="bid">{bid === undefined ? UNKNOWN : shownPrice(bid[0], decimals)}</span> ·{' '}
          <span class="ask">{ask === undefined ? UNKNOWN : shownPrice(ask[0], decimals)}</span>
        </dd>
        <dt>spread</dt>
        <dd>{bid === undefined || ask === undefined ? UNKNOWN : shownPrice(ask[0] - bid[0], decimals)}</dd>
        <dt>trade</dt>
        <dd>
          {trade === null ? (
            UNKNOWN
          ) : (
            <>
              <span class={trade.side ?? ''} title={`The taker: ${sideWord(trade.side)}`}>
                {sideMark(trade.side)} {shownPrice(trade.price, decimals)}
              </span>{' '}
              × {sizeText(trade.size)}
            </>
          )}
        </dd>
        <dt>tick</dt>
        <dd>{shownPrice(tick, 0)}</dd>
      </dl>
    </header>
  )
}

const spoken = (side: string, level: Levels[number] | undefined): string =>
  level === undefined ? `no ${side}` : `${side} ${shownPrice(level[0], 0)} for ${sizeText(level[1])}`

/** Returns the last trade from the day's trades if they are loaded, otherwise from the API's book. */
export function lastTrade(book: BookId, stretch: Stretch, facts: Book | null): LastTrade | null {
  const trades = peekDayTrades(book, dateText(stretch.atMs!, 'UTC'))
  if (trades === null) return facts?.last_trade ?? null
  const count = countTradesAt(trades, stretch)
  return count === 0 ? (facts?.last_trade ?? null) : tradeAt(trades, count - 1)
}
