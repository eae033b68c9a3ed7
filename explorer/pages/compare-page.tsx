// Compares two books, of one venue or of both, on one time axis.

import { useRef } from 'preact/hooks'
import { otherZone } from '../charts/chart-keys.ts'
import { ZoomButtons } from '../charts/zoom-buttons.tsx'
import { BookSlot, nameOf } from '../compare/book-slot.tsx'
import { commonDates } from '../compare/common-dates.ts'
import { CompareChart } from '../compare/compare-chart.tsx'
import { nameOfPair, type Pair, pairs } from '../compare/pairs.ts'
import { coverage } from '../data/answers.ts'
import { HideFuture } from '../panels/hide-future.tsx'
import { Ladder } from '../panels/ladder/ladder.tsx'
import { lazy } from '../panels/lazy.tsx'
import { Failed } from '../panels/states.tsx'
import { Link } from '../panels/top.tsx'
import { useWidth } from '../panels/use-size.ts'
import { adjust } from '../state/address.ts'
import { horizonOf, passedDates } from '../state/horizon.ts'
import { closeOf, shownSpan } from '../state/shown.ts'
import { type BookId, type CompareView, parseBook, printBook } from '../state/view.ts'
import { CopyLink } from '../take/copy-link.tsx'
import { PictureButton } from '../take/picture-button.tsx'
import { SHOWN } from '../venues.ts'
import { withCursor } from './use-market.ts'

const LiveMark = lazy(async () => (await import('../live/live-mark.tsx')).LiveMark)

export function ComparePage({ view: given }: { view: CompareView }) {
  const { first, second } = given
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const stored = [first, second].map((book) => (book === null ? null : coverage(book)))
  const failure = stored.find((each) => each?.failure != null)?.failure ?? null
  const missing = [first, second].filter((_, i) => stored[i]?.value?.has_data === false) as BookId[]
  const both = stored.map((each) => each?.value?.dates ?? null)
  const common = commonDates(both[0] ?? null, both[1] ?? null)
  const view = withCursor(given, common ?? [])
  const [firstDates, secondDates] = both.map((each) => each && passedDates(each, horizonOf(view)))
  const dates = commonDates(firstDates ?? null, secondDates ?? null)
  const span = dates === null ? null : shownSpan(view, dates)
  const isReady = isChosen(first) && isChosen(second) && span !== null
  return (
    <main class="compare">
      <h1>Compare two books</h1>
      <div class="slots">
        <BookSlot book={first} place="first" stretch={view} span={span} choose={(book) => adjust({ first: book })} />
        <button
          type="button"
          class="swap"
          title="Swap both"
          aria-label="Swap both books"
          disabled={first === null || second === null}
          onClick={() => adjust({ first: second, second: first })}
        >
          ⇄
        </button>
        <BookSlot book={second} place="second" stretch={view} span={span} choose={(book) => adjust({ second: book })} />
      </div>
      {(first === null || second === null) && (
        <p class="quiet">
          Both books share one axis of time: the middle of each, how far they are apart, and both depth maps. They may
          be of one venue or of two, or two outcomes of one market. Saved pairs stay on this device.
        </p>
      )}
      {failure !== null && <Failed failure={failure} />}
      {isReady && (
        <div class="toolbar" role="toolbar" aria-label="The chart">
          <ZoomButtons shown={{ stretch: view, span, prices: { low: 0, high: 1 } }} />
          <button type="button" onClick={() => otherZone(view)}>
            {view.zone === 'local' ? 'Local time' : view.zone}
          </button>
          <HideFuture view={view} span={span} />
          <span class="space" />
          {!view.hidesFuture && (
            <LiveMark
              key={`${first.market} ${second.market}`}
              books={[first, second]}
              lastMs={Math.max(...[firstDates, secondDates].map((each) => each?.at(-1)?.last_timestamp ?? 0))}
            />
          )}
          <CopyLink span={span} />
          <PictureButton
            view={{ ...view, chart: 'depth' }}
            {...{ span }}
            title={`First (solid): ${nameOf(first)}`}
            about={`Second (dashed): ${nameOf(second)}`}
          />
          <SavePair first={first} second={second} />
        </div>
      )}
      <div ref={place}>
        {isReady && width > 0 && (
          <CompareChart
            key={`${first.market} ${second.market}`}
            books={[first, second]}
            names={[nameOf(first), nameOf(second)]}
            {...{ stretch: view, span }}
            widthPx={width}
          />
        )}
        {missing.map((book) => (
          <p key={book.market} class="note">
            Nothing is stored of {nameOf(book)}.
          </p>
        ))}
        {isReady && (
          <div class="ladders">
            {[first, second].map((book, i) => (
              <div key={i} class={i === 0 ? 'first' : 'second'}>
                <h2>{nameOf(book)}</h2>
                <Ladder book={book} stretch={{ ...view, atMs: view.atMs ?? closeOf(dates!, span) }} />
              </div>
            ))}
          </div>
        )}
        {common?.length === 0 && missing.length === 0 && <p class="note">Both are stored, but of no day in common.</p>}
      </div>
      <SavedPairs view={view} />
    </main>
  )
}

/** A Polymarket market has one book per outcome: the first is chosen once the outcomes are known. */
const isChosen = (book: BookId | null): book is BookId =>
  book !== null && (!SHOWN[book.venue].hasAssets || book.asset !== null)

function SavePair({ first, second }: { first: BookId; second: BookId }) {
  const pair: Pair = [printBook(first), printBook(second), `${nameOf(first)} / ${nameOf(second)}`]
  const isThere = pairs.has(pair)
  return (
    <button type="button" aria-pressed={isThere} onClick={() => (isThere ? pairs.remove(pair) : pairs.put(pair))}>
      {isThere ? 'Saved' : 'Save this pair'}
    </button>
  )
}

const booksOf = ([first, second]: Pair) => ({ first: parseBook(first), second: parseBook(second) })

function SavedPairs({ view }: { view: CompareView }) {
  if (pairs.items.length === 0) return null
  return (
    <section class="pairs" aria-label="Saved pairs">
      <h2>Saved pairs</h2>
      <ul>
        {pairs.items.map((pair) => (
          <li key={nameOfPair(pair)}>
            <Link to={{ ...view, ...booksOf(pair), fromMs: null, toMs: null, atMs: null }}>{pair[2]}</Link>
            <button type="button" class="plain" aria-label={`Forget ${pair[2]}`} onClick={() => pairs.remove(pair)}>
              ✕
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
