// Shows the book at the cursor as a ladder of prices: bids left, asks right, and the last changes marked.

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Book, coverage, marketInfo } from '../../data/answers.ts'
import { bookText } from '../../data/book-query.ts'
import { ASK, BID } from '../../data/replay/change-block.ts'
import { centDecimals, tickAt, ticksOf } from '../../data/ticks.ts'
import { cursorBest } from '../../replay/cursor-best.ts'
import { isPlaying } from '../../replay/player.ts'
import type { Change, Replay, Target } from '../../replay/replay.ts'
import { sortedLevels, type Trust } from '../../replay/replay-book.ts'
import { factsAt, replayed, targetOf } from '../../replay/replayed.ts'
import { askAgain } from '../../state/again.ts'
import { sizeText } from '../../state/number-text.ts'
import { screenHeight } from '../../state/screen.ts'
import { shownPrice } from '../../state/units.ts'
import type { BookId, Stretch } from '../../state/view.ts'
import { Choice } from '../choice.tsx'
import { Failed } from '../states.tsx'
import { Flashes } from './flashes.ts'
import { LadderFacts, lastTrade } from './ladder-facts.tsx'
import { LadderRow } from './ladder-row.tsx'
import {
  barScale,
  levelRows,
  type Place,
  placeFor,
  rowOf,
  type Sides,
  STEPS,
  type Step,
  stepFor,
  stepRows,
  withRemoved,
} from './ladder-rows.ts'

const [ROWS_LEAST, ROWS_MOST] = [21, 61]
const ROW_PX = 17
/** Height of everything on the screen except the ladder's rows, px. */
const OTHERS_PX = 330

/** `step` is null until both sides have had a level, because it is chosen from both best prices. */
type Own = { name: string; place: Place; step: Step | null; scale: number | null; flashes: Flashes }

export function Ladder({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const name = bookText(book)
  const target = targetOf(stretch)
  const held = useRef<Own | null>(null)
  const shown = useRef<Replay | null>(null)
  const stale = useRef<Book | null>(null)
  const [chosen, setChosen] = useState<Step | null>(null)
  const [offset, setOffset] = useState(0)
  const facts = useFacts(book, target)
  useEffect(() => {
    setChosen(null)
    setOffset(0)
    stale.current = null
  }, [name])
  if (facts !== null) stale.current = facts
  if (target === null) return <Hint />
  const { replay, failure } = replayed(book, target)
  if (failure !== null) return <Failed failure={failure} retry={askAgain} />
  if (replay !== null) shown.current = replay
  if (shown.current === null || (replay === null && held.current?.name !== name)) return <Waiting />

  const there = shown.current.book
  if (facts !== null && replay !== null) there.confirm(facts.trust)
  const { bids: bidLevels, asks: askLevels, trust, isSure } = there
  const sides: Sides = { bids: sortedLevels(bidLevels, BID), asks: sortedLevels(askLevels, ASK) }
  const count = Math.min(ROWS_MOST, Math.max(ROWS_LEAST, Math.floor((screenHeight.value - OTHERS_PX) / ROW_PX)))
  if (held.current?.name !== name) held.current = begun(name, sides, count)
  const own = held.current
  const last = shown.current.lastChanges()
  // If the cursor's record changed no level, mark no changes.
  const isOther = stretch.record !== null && last?.record !== stretch.record
  const changes = isOther ? [] : (last?.changes ?? [])
  const { step, rows } = rowsOf(own, chosen, sides, isPlaying.value ? [] : changes, offset, count)
  own.scale = barScale(own.scale, Math.max(0, ...rows.map(({ bid, ask }) => Math.max(bid, ask))))
  const trade = lastTrade(book, stretch, facts ?? stale.current)
  const decimals = centDecimals((typeof step === 'number' ? step : own.place.tick) / 1e6)
  const tick = tickAt(ticksOf(book, marketInfo(book).value), sides.bids[0]?.[0] ?? sides.asks[0]?.[0] ?? 0.5)
  const isUnknown = trust !== 'established' && sides.bids.length + sides.asks.length === 0
  const best = { bid: sides.bids[0]?.[0], ask: sides.asks[0]?.[0] }
  const [bid, ask] = [best.bid ?? Number.NaN, best.ask ?? Number.NaN]
  cursorBest.value = replay === null ? null : { ms: target.ms, bid, ask, last: trade }
  const untilMs = stretch.hidesFuture ? null : lossEnd(book, trust, target.ms)
  return (
    <section
      class={`ladder${replay === null ? ' late' : ''}`}
      aria-label="The book at the cursor"
      aria-busy={replay === null}
    >
      <LadderFacts
        {...{ stretch, trust, untilMs, isSure, facts, trade, decimals, lastMs: last?.ms ?? null, ...sides }}
        tick={facts?.tick_size ?? tick}
      />
      <table
        class={isUnknown ? 'unknown' : ''}
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
              {...{ row, step, decimals, best, scale: own.scale!, flashes: own.flashes }}
              isRunning={isPlaying.value}
              changes={changes}
              trade={trade?.price ?? null}
            />
          ))}
        </tbody>
      </table>
      <footer>
        <Choice
          label="A row"
          value={String(step)}
          onChoose={(value) => setChosen(value === 'levels' ? value : Number(value))}
        >
          <option value="levels">a row a level</option>
          {STEPS.filter((each) => each >= own.place.tick || each === step).map((each) => (
            <option key={each} value={each}>
              a row each {shownPrice(each / 1e6, 0)}
            </option>
          ))}
        </Choice>
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

/** Returns the time of the next snapshot, which ends an inferred loss; null if unknown. */
function lossEnd(book: BookId, trust: Trust | null, ms: number): number | null {
  if (trust !== 'doubtful' && trust !== 'lost') return null
  const gaps = (coverage(book).value?.dates ?? []).flatMap(({ inferred_gaps }) => inferred_gaps)
  return gaps.find(({ from, to }) => ms >= from && to !== null && ms < to)?.to ?? null
}

/** Delay before the book is requested from the API. So no request is sent for the times that the cursor only passes,
 *  while playing or while a key is held. */
const REST_MS = 120

/** Returns the API's book at the cursor, once the clock has stopped there; null until the book has loaded. */
function useFacts(book: BookId, target: Target | null): Book | null {
  const name = JSON.stringify([book, target])
  const [rested, setRested] = useState<string | null>(null)
  const isRunning = isPlaying.value
  useEffect(() => {
    if (isRunning) return
    const timer = setTimeout(() => setRested(name), REST_MS)
    return () => clearTimeout(timer)
  }, [name, isRunning])
  return target === null || isRunning || rested !== name ? null : factsAt(book, target).value
}

const Hint = () => (
  <p class="quiet hint">
    The book is shown here once the cursor is set: click the chart, or press <kbd>Space</kbd> to play.
  </p>
)

const Waiting = () => (
  <section class="ladder waiting" aria-busy="true">
    <p class="quiet">…</p>
  </section>
)

function begun(name: string, sides: Sides, rows: number): Own {
  return { name, place: placeFor(null, sides, null, rows), step: null, scale: null, flashes: new Flashes() }
}

/** Returns the rows to show, and their step. If no step has been chosen, the step follows the tick of the prices
 *  shown. */
function rowsOf(
  own: Own,
  chosen: Step | null,
  sides: Sides,
  changes: readonly Change[],
  offset: number,
  count: number,
) {
  const isFixed = typeof chosen === 'number'
  own.place = placeFor(own.place, sides, isFixed ? chosen : null, count)
  own.step =
    own.step === null ? stepFor(own.place.tick, sides, count) : own.step === 'levels' ? 'levels' : own.place.tick
  const step = chosen ?? own.step ?? own.place.tick
  if (step === 'levels') return { step, rows: levelRows(withRemoved(sides, changes), count) }
  const centre = rowOf(own.place.centre / 1e6, step, 'bid') + offset * step
  return { step, rows: stepRows(sides, step, centre, count) }
}
