// Lists the stretches in which something was missed; a click shows one on the chart.

import { useState } from 'preact/hooks'
import { lengthText, type Missed } from '../../find/coverage-words.ts'
import { countText } from '../../state/number-text.ts'
import { clockText } from '../../state/time-text.ts'

const FIRST = 8
/** Time shown before and after the stretch. */
const ROOM_MS = 30_000

export function MissedList(props: {
  missed: readonly Missed[]
  zone: string
  show: (fromMs: number, toMs: number) => void
}) {
  const { missed, zone, show } = props
  const [isWhole, setWhole] = useState(false)
  const listed = isWhole ? missed : missed.slice(0, FIRST)
  return (
    <>
      <ul class="missed">
        {listed.map((each) => (
          <li key={`${each.fromMs} ${each.why}`}>
            <button
              type="button"
              class="plain"
              title="Show it on the chart"
              onClick={() => show(each.fromMs - ROOM_MS, (each.toMs ?? each.fromMs) + ROOM_MS)}
            >
              {clockText(each.fromMs, zone)}
            </button>
            <span>
              <span>{lengthText(each)}</span>
              {each.isInferred && <span class="quiet"> (inferred)</span>}. {each.why}
            </span>
          </li>
        ))}
      </ul>
      {missed.length > FIRST && (
        <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Fewer' : `All ${countText(missed.length)}`}
        </button>
      )}
    </>
  )
}
