// Above the chart: what is drawn, how far one sees, and how it looks.

import { CANDLES_MS } from '../data/level-of-detail.ts'
import { adjust } from '../state/address.ts'
import { lengthText } from '../state/time-text.ts'
import type { Stretch } from '../state/view.ts'
import { otherChart, type Shown, showDay, zoomIn, zoomOut } from './chart-keys.ts'
import { DisplayMenu } from './display-menu.tsx'
import type { Scale } from './size-scale.ts'

type ToolbarProps = { shown: Shown; scale: Scale }

const NAMES = { depth: 'Depth', candles: 'Candles' } as const

export function Toolbar({ shown, scale }: ToolbarProps) {
  const { stretch } = shown
  return (
    <div class="toolbar" role="toolbar" aria-label="The chart">
      <span class="choices">
        {(['depth', 'candles'] as const).map((chart) => (
          <button
            key={chart}
            type="button"
            aria-pressed={stretch.chart === chart}
            aria-keyshortcuts="c"
            onClick={() => stretch.chart !== chart && otherChart(stretch)}
          >
            {NAMES[chart]}
          </button>
        ))}
      </span>
      {stretch.chart === 'candles' && <CandleChoice stretch={stretch} />}
      <span class="choices">
        <button
          type="button"
          aria-label="Zoom out"
          aria-keyshortcuts="-"
          title="Zoom out (-)"
          onClick={() => zoomOut(shown)}
        >
          −
        </button>
        <button
          type="button"
          aria-label="Zoom in"
          aria-keyshortcuts="+"
          title="Zoom in (+)"
          onClick={() => zoomIn(shown)}
        >
          +
        </button>
        <button type="button" aria-keyshortcuts="0" title="All that is recorded of the day (0)" onClick={showDay}>
          Day
        </button>
      </span>
      {stretch.prices !== null && (
        <button type="button" title="Prices follow the best ones again" onClick={() => adjust({ prices: null })}>
          Fit prices
        </button>
      )}
      <span class="space" />
      <DisplayMenu {...{ stretch, scale }} />
    </div>
  )
}

const CandleChoice = ({ stretch }: { stretch: Stretch }) => (
  <select
    aria-label="Length of a candle"
    value={stretch.candleMs ?? ''}
    onChange={({ currentTarget: { value } }) => adjust({ candleMs: value === '' ? null : Number(value) })}
  >
    <option value="">as fits</option>
    {CANDLES_MS.map((ms) => (
      <option key={ms} value={ms}>
        {lengthText(ms)}
      </option>
    ))}
  </select>
)
