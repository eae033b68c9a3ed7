// Shows one of the two compared books, and lets the reader choose another one.

import { useState } from 'preact/hooks'
import { coverage, marketInfo } from '../data/answers.ts'
import { eventTime, titleOf } from '../data/market-name.ts'
import { outcomesOf } from '../data/outcomes.ts'
import { lazy } from '../panels/lazy.tsx'
import { OutcomeChoice } from '../panels/outcome-choice.tsx'
import { Search } from '../panels/search/search.tsx'
import { Link } from '../panels/top.tsx'
import { comparedDetails } from '../state/detail.ts'
import { shortId } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { type BookId, marketView, type Stretch } from '../state/view.ts'

const TakeDialog = lazy(async () => (await import('../take/take-dialog.tsx')).TakeDialog)

type SlotProps = {
  book: BookId | null
  /** Which of the two books this is: `first` or `second`. */
  place: string
  stretch: Stretch
  /** The visible span of time; null while unknown. */
  span: Span | null
  choose: (book: BookId) => void
}

export function BookSlot({ book, place, stretch, span, choose }: SlotProps) {
  const [isOpen, setOpen] = useState(false)
  const [isTaken, setTaken] = useState(false)
  return (
    <section class={`slot ${place}`} aria-label={`The ${place} book`}>
      {book === null ? <p class="quiet">No {place} book yet</p> : <Name {...{ book, stretch }} />}
      {book !== null && <OutcomeChoice label={`Outcome of the ${place} book`} {...{ book, choose }} begin={choose} />}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={book === null ? `Choose a market as the ${place} book` : `Change the ${place} book`}
        onClick={() => setOpen(true)}
      >
        {book === null ? 'Choose a market' : 'Change'}
      </button>
      {book !== null && span !== null && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`Data of the ${place} book, as a download or as code`}
          onClick={() => setTaken(true)}
        >
          Data
        </button>
      )}
      {isTaken && book !== null && span !== null && (
        <TakeDialog
          {...{ book, stretch, span }}
          detail={comparedDetails.value?.[place === 'first' ? 0 : 1] ?? null}
          onClose={() => setTaken(false)}
        />
      )}
      {isOpen && (
        <Search
          onClose={() => setOpen(false)}
          onChoose={({ venue, market }) => {
            setOpen(false)
            choose({ venue, market, asset: null })
          }}
        />
      )}
    </section>
  )
}

function Name({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const info = marketInfo(book).value
  const { fromMs, toMs, atMs, hidesFuture, zone } = stretch
  return (
    <div class="slot-book">
      <Link to={marketView(book, { fromMs, toMs, atMs, hidesFuture, zone })}>{titleOf(book, info)}</Link>
      <span class="quiet">
        <span class="venue">{book.venue}</span> · <span class="mono">{shortId(book.market)}</span>
        {info !== null && eventTime(info) !== null && ` · ${eventTime(info)}`}
      </span>
    </div>
  )
}

/** Returns the market's title, with the outcome if there are several. Reads signals. */
export function nameOf(book: BookId): string {
  const info = marketInfo(book).value
  const outcome = outcomesOf(book, info, coverage(book).value).find(({ id }) => id === book.asset)
  return outcome === undefined || outcome.id === null ? titleOf(book, info) : `${titleOf(book, info)} · ${outcome.name}`
}
