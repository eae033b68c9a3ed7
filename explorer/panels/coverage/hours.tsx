// Shows the hours of a day: the number of quotes in each hour, and the hours in which something was missed. A click on
// an hour shows that hour on the chart.

import type { Missed } from '../../find/coverage-words.ts'
import { quotesByHour } from '../../find/hours.ts'
import { reshape } from '../../state/back.ts'
import { countedText } from '../../state/number-text.ts'
import { clockText } from '../../state/time-text.ts'
import type { BookId } from '../../state/view.ts'
import { Failed } from '../states.tsx'

const HOUR_MS = 3_600_000

export function Hours(props: { book: BookId; date: string; missed: readonly Missed[]; zone: string }) {
  const { book, date, missed, zone } = props
  const { value, failure } = quotesByHour(book, date)
  const startMs = Date.parse(date)
  const most = Math.max(1, ...(value ?? []))
  return (
    <section aria-label="Hours of the day">
      <h3>
        Quotes by the hour <span class="quiet">({zone === 'local' ? 'local time' : zone})</span>
      </h3>
      {failure !== null && <Failed failure={failure} />}
      <div class="hours" aria-busy={value === null && failure === null}>
        {Array.from({ length: 24 }, (_, hour) => {
          const [fromMs, toMs] = [startMs + hour * HOUR_MS, startMs + (hour + 1) * HOUR_MS]
          const quotes = value?.[hour] ?? 0
          const isMissed = missed.some((each) => each.fromMs < toMs && (each.toMs ?? each.fromMs) >= fromMs)
          const label = `${clockText(fromMs, zone, 60_000)}: ${countedText(quotes, 'quote')}${isMissed ? ', with a gap' : ''}`
          return (
            <button
              key={hour}
              type="button"
              class={isMissed ? 'degraded' : ''}
              aria-label={label}
              title={label}
              onClick={() => reshape({ fromMs, toMs, atMs: null, record: null })}
            >
              <span class="bar" style={{ height: `${(100 * quotes) / most}%` }} />
              {hour % 6 === 0 && <span class="at">{clockText(fromMs, zone, 60_000)}</span>}
            </button>
          )
        })}
      </div>
    </section>
  )
}
