// Shows the values of both books at the pointer, or at the cursor if the pointer is elsewhere.

import { hovered } from '../charts/base/hovered.ts'
import { clockText, dateText } from '../state/time-text.ts'
import type { Side } from './compare-chart.tsx'
import { type Column, valueAt } from './difference.ts'

type Props = {
  sides: readonly [Side, Side]
  difference: Column
  resolutionMs: number
  atMs: number | null
  zone: string
  cents: (dollars: number) => string
}

export function CompareReadOut({ sides, difference, resolutionMs, atMs, zone, cents }: Props) {
  const ms = hovered.value?.ms ?? atMs
  if (ms === null) return <p class="read-out quiet">Point at the chart to read both books.</p>
  return (
    <p class="read-out">
      <span>{`${dateText(ms, zone)} ${clockText(ms, zone, 1_000)}`}</span>
      {sides.map(({ mid, windows }, i) => {
        const { times, bid, ask, resolutionMs: columnMs } = windows.best
        return (
          <span key={i} class={i === 0 ? 'first' : 'second'}>
            <i>{i === 0 ? 'first' : 'second'} </i>
            {cents(valueAt(mid, ms, resolutionMs))}{' '}
            <i>
              ({cents(valueAt({ times, values: bid }, ms, columnMs))} ·{' '}
              {cents(valueAt({ times, values: ask }, ms, columnMs))})
            </i>
          </span>
        )
      })}
      <span>
        <i>first − second </i>
        {cents(valueAt(difference, ms, resolutionMs))}
      </span>
    </p>
  )
}
