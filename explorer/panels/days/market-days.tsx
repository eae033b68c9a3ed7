// Shows the stored days of a market above its chart, or a note if there are none.

import type { Coverage } from '../../data/answers.ts'
import { dateOf, neighbourOf, withMissing } from '../../find/calendar.ts'
import { dayOf } from '../../find/coverage-words.ts'
import { go } from '../../state/address.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import type { Span } from '../../state/shown.ts'
import type { MarketView } from '../../state/view.ts'
import { Days } from './days.tsx'

type StoredDate = Coverage['dates'][number]
type DaysProps = { view: MarketView; dates: readonly StoredDate[]; span: Span | null }

export function MarketDays({ view, dates, span }: DaysProps) {
  const shown = span === null ? null : dateOf((span.fromMs + span.toMs) / 2)
  const open = (date: string | undefined) => {
    if (date !== undefined)
      go({ ...view, fromMs: Date.parse(date), toMs: null, atMs: null, record: null, prices: null })
  }
  const [before, after] = [-1 as const, 1 as const].map((step) =>
    shown === null ? undefined : neighbourOf(dates, shown, step),
  )
  useShortcuts([
    { keys: ['['], label: 'The stored day before', run: () => open(before) },
    { keys: [']'], label: 'The stored day after', run: () => open(after) },
  ])
  // The final number of records on the cursor's date is part of the hidden future.
  const hiding = view.hidesFuture && view.atMs !== null ? dateOf(view.atMs) : null
  const days = dates.map(dayOf).map((day) => (day.date === hiding ? { ...day, records: null } : day))
  if (dates.length === 0) return <NothingStored market={view.book.market} />
  return (
    <>
      <div class="market-days">
        <Step label="The stored day before" sign="‹" keys="[" to={before} open={open} />
        <Days label="Days of this market" layout="strip" days={withMissing(days)} chosen={shown} onChoose={open} />
        <Step label="The stored day after" sign="›" keys="]" to={after} open={open} />
      </div>
      {span !== null && hiding === null && !isStoredIn(dates, span) && (
        <div class="note" role="status">
          <p>Nothing is stored of this market {daysOf(span)}.</p>
          <p class="quiet">
            Stored are {dates[0]!.date} to {dates.at(-1)!.date}: choose a day above, or press <kbd>[</kbd> or{' '}
            <kbd>]</kbd>.
          </p>
        </div>
      )}
    </>
  )
}

/** Returns whether any day of a span is stored. */
function isStoredIn(dates: readonly StoredDate[], { fromMs, toMs }: Span): boolean {
  const [first, last] = [dateOf(fromMs), dateOf(toMs - 1)]
  return dates.some(({ date }) => date >= first && date <= last)
}

function daysOf({ fromMs, toMs }: Span): string {
  const [first, last] = [dateOf(fromMs), dateOf(toMs - 1)]
  return first === last ? `on ${first}` : `from ${first} to ${last}`
}

function Step(props: {
  label: string
  sign: string
  keys: string
  to: string | undefined
  open: (date: string | undefined) => void
}) {
  const { label, sign, keys, to, open } = props
  return (
    <button
      type="button"
      class="plain step"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={to ?? 'No such day'}
      disabled={to === undefined}
      onClick={() => open(to)}
    >
      {sign}
    </button>
  )
}

const NothingStored = ({ market }: { market: string }) => (
  <div class="note" role="status">
    <p>
      Nothing is stored of <span class="mono">{market}</span>.
    </p>
    <p class="quiet">
      It may be spelled differently, or was never recorded: press <kbd>/</kbd> to look for it.
    </p>
  </div>
)
