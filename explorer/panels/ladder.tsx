// The book at the cursor as a ladder of prices: bids to the left, asks to the right, what just changed marked.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Book } from '../data/answers.ts'
import { ASK, BID } from '../data/change-block.ts'
import { isPlaying } from '../replay/player.ts'
import type { Replay, Target } from '../replay/replay.ts'
import { sortedLevels } from '../replay/replay-book.ts'
import { factsAt, replayed, targetOf } from '../replay/replayed.ts'
import { priceText, sizeText } from '../state/number-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { Flashes } from './flashes.ts'
import { LadderFacts, lastTrade } from './ladder-facts.tsx'
import {
  barScale,
  centreFor,
  levelRows,
  microsOf,
  type Row,
  STEPS,
  type Step,
  stepFor,
  stepRows,
  tickOf,
} from './ladder-rows.ts'
import { Failed } from './states.tsx'

const ROWS = 31

type Kept = { name: string; tick: number; step: Step; centre: number | null; scale: number | null; flashes: Flashes }

export function Ladder({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const target = targetOf(stretch)
  const kept = useRef<Kept | null>(null)
  const shown = useRef<Replay | null>(null)
  const [chosen, setChosen] = useState<Step | null>(null)
  const [offset, setOffset] = useState(0)
  const facts = useFacts(book, target)
  const stale = useRef<Book | null>(null)
  if (facts !== null) stale.current = facts
  const name = `${book.venue} ${book.market} ${book.asset}`
  useEffect(() => {
    setChosen(null)
    setOffset(0)
  }, [name])
  if (target === null)
    return (
      <p class="quiet hint">
        Click the chart, step with the keys , and . or press Space to play: the book stands here.
      </p>
    )
  const { replay, failure } = replayed(book, target)
  if (failure !== null) return <Failed failure={failure} />
  if (replay !== null) shown.current = replay
  if (shown.current === null || (replay === null && kept.current?.name !== name)) return <Waiting />
  const state = shown.current.book
  const [bids, asks] = [sortedLevels(state.bids, BID), sortedLevels(state.asks, ASK)]
  if (kept.current?.name !== name) kept.current = begun(name, bids, asks)
  const own = kept.current
  own.tick = Math.min(own.tick, tickOf([...bids, ...asks].slice(0, 2 * ROWS).map(([price]) => price)))
  const step = chosen ?? own.step
  const rows = rowsOf(own, step, bids, asks, offset)
  own.scale = barScale(own.scale, Math.max(0, ...rows.map(({ bid, ask }) => Math.max(bid, ask))))
  const last = shown.current.lastChanges()
  const trade = lastTrade(book, stretch, facts ?? stale.current)
  const isEmpty = bids.length + asks.length === 0
  return (
    <section
      class={`ladder${replay === null ? ' late' : ''}`}
      aria-label="The book at the cursor"
      aria-busy={replay === null}
    >
      <LadderFacts
        {...{
          book,
          stretch,
          bids,
          asks,
          trust: state.trust,
          facts,
          trade,
          tick: own.tick,
          lastMs: last?.ms ?? null,
        }}
      />
      <table
        class={isEmpty && state.trust !== 'established' ? 'unknown' : ''}
        onWheel={(event) => {
          if (step === 'levels' || event.ctrlKey) return
          event.preventDefault()
          setOffset(offset - Math.sign(event.deltaY) * 2)
        }}
      >
        <thead>
          <tr>
            <th scope="col">±</th>
            <th scope="col">bids</th>
            <th scope="col">price</th>
            <th scope="col">asks</th>
            <th scope="col">±</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <LadderRow
              key={step === 'levels' ? i : row.micros}
              {...{ row, own, step, changes: last?.changes ?? [], trade: trade?.price ?? null }}
              bestBid={bids[0]?.[0]}
              bestAsk={asks[0]?.[0]}
            />
          ))}
        </tbody>
      </table>
      <footer>
        <label>
          rows{' '}
          <select
            value={String(step)}
            onChange={({ currentTarget: { value } }) => setChosen(value === 'levels' ? value : Number(value))}
          >
            <option value="levels">levels alone</option>
            {STEPS.filter((each) => each >= own.tick).map((each) => (
              <option key={each} value={each}>
                each {priceText(each / 1e6, 0)}
              </option>
            ))}
          </select>
        </label>
        {offset !== 0 && step !== 'levels' && (
          <button type="button" onClick={() => setOffset(0)}>
            centre
          </button>
        )}
        <span class="quiet">full bar {sizeText(own.scale)}</span>
      </footer>
    </section>
  )
}

/** Who holds a key down, or plays, passes places of which nobody asks. */
const REST_MS = 120

/** What the API says of the place at which the clock rests. */
function useFacts(book: BookId, target: Target | null): Book | null {
  const name = JSON.stringify(target)
  const [rested, setRested] = useState<string | null>(null)
  const isRunning = isPlaying.value
  useEffect(() => {
    if (isRunning) return
    const timer = setTimeout(() => setRested(name), REST_MS)
    return () => clearTimeout(timer)
  }, [name, isRunning])
  return target === null || isRunning || rested !== name ? null : factsAt(book, target).value
}

const Waiting = () => (
  <section class="ladder waiting" aria-busy="true">
    <p class="quiet">…</p>
  </section>
)

type Sides = [bids: readonly [number, number][], asks: readonly [number, number][]]

function begun(name: string, ...[bids, asks]: Sides): Kept {
  const tick = tickOf([...bids, ...asks].map(([price]) => price))
  const step = stepFor(tick, bids[0]?.[0], asks[0]?.[0], ROWS)
  return { name, tick, step, centre: null, scale: null, flashes: new Flashes() }
}

function rowsOf(own: Kept, step: Step, ...[bids, asks, offset]: [...Sides, number]): Row[] {
  if (step === 'levels') return levelRows(bids, asks, ROWS)
  own.centre = centreFor(own.centre, { bids, asks }, step, ROWS)
  const centre = Math.round(own.centre / step + offset) * step
  return stepRows(bids, asks, step, centre, ROWS)
}

type RowProps = {
  row: Row
  own: Kept
  step: Step
  changes: readonly { side: 'bid' | 'ask'; price: number; before: number; after: number }[]
  trade: number | null
  bestBid: number | undefined
  bestAsk: number | undefined
}

function LadderRow({ row, own, step, changes, trade, bestBid, bestAsk }: RowProps) {
  const { micros, bid, ask } = row
  const isMine = (price: number | null | undefined, side: 'bid' | 'ask') =>
    price != null && micros !== null && rowMicros(microsOf(price), step, side) === micros
  const changeOf = (side: 'bid' | 'ask') =>
    changes
      .filter((each) => each.side === side && isMine(each.price, side))
      .reduce((sum, { before, after }) => sum + after - before, 0)
  const isTraded = isMine(trade, bid > 0 ? 'bid' : 'ask')
  return (
    <tr class={rowClass(isMine(bestBid, 'bid'), isMine(bestAsk, 'ask'), bid, ask)}>
      <Difference size={changeOf('bid')} />
      <Size {...{ own, micros, size: bid, side: 'bid' }} />
      <th scope="row" class={isTraded ? 'traded' : ''}>
        {micros === null ? '' : priceText(micros / 1e6, own.tick % 10_000 === 0 ? 0 : 1)}
      </th>
      <Size {...{ own, micros, size: ask, side: 'ask' }} />
      <Difference size={changeOf('ask')} />
    </tr>
  )
}

/** The row that a price is added to: bids down, asks up. */
function rowMicros(micros: number, step: Step, side: 'bid' | 'ask'): number {
  if (step === 'levels') return micros
  return (side === 'bid' ? Math.floor(micros / step) : Math.ceil(micros / step)) * step
}

const rowClass = (isBid: boolean, isAsk: boolean, bid: number, ask: number): string =>
  [isBid && 'best-bid', isAsk && 'best-ask', bid > 0 && 'has-bid', ask > 0 && 'has-ask'].filter(Boolean).join(' ')

function Difference({ size }: { size: number }) {
  if (size === 0) return <td class="difference" />
  return <td class="difference">{`${size > 0 ? '+' : '−'}${sizeText(Math.abs(size))}`}</td>
}

function Size({ own, micros, size, side }: { own: Kept; micros: number | null; size: number; side: 'bid' | 'ask' }) {
  const { stamp, isNew } = own.flashes.of(`${side} ${micros}`, size, isPlaying.value)
  if (size === 0) return <td class={side}>{isNew && <span key={stamp} class="gone" />}</td>
  return (
    <td class={side}>
      <span
        key={stamp}
        class={isNew ? 'bar new' : 'bar'}
        style={{ width: `${Math.min(100, (100 * size) / own.scale!)}%` }}
      />
      <span>{sizeText(size)}</span>
    </td>
  )
}
