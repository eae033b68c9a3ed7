// The toolbar above the chart: chart type, zoom, range and display options.

import { CANDLES_MS } from '../data/level-of-detail.ts'
import { Choice } from '../panels/choice.tsx'
import { OneOf } from '../panels/one-of.tsx'
import { adjust } from '../state/address.ts'
import { reshape } from '../state/back.ts'
import { DAY_MS, lastDays, type Span, type StoredDates } from '../state/shown.ts'
import { lengthText } from '../state/time-text.ts'
import { CANDLES_OF, CHARTS, type Stretch } from '../state/view.ts'
import type { Shown } from './chart-keys.ts'
import { DisplayMenu } from './display-menu.tsx'
import type { Scale } from './size-scale.ts'
import { ZoomButtons } from './zoom-buttons.tsx'

/** `candleMs` is the length of the candles shown. */
type ToolbarProps = { shown: Shown; scale: Scale; dates: StoredDates; candleMs: number }

const NAMES = { depth: 'Depth', candles: 'Candles', line: 'Line' } as const
const ABOUT = {
  depth: 'What rested at each price',
  candles: 'Open, high, low and close, of the mid price or of trades',
  line: 'The price in %: the mid, or the last trade where the spread is wider than 10¢',
} as const
const OF_NAMES = { mid: 'of mid', trades: 'of trades' } as const

const RANGES = [
  { name: '1W', title: 'A week, up to the day shown', days: 7 },
  { name: '1M', title: '30 days, up to the day shown', days: 30 },
  { name: 'All', title: 'All that is stored', days: Infinity },
]
/** Longest range in days for which a range button keeps the depth map. For a longer range it switches to candles: a
 *  depth map would need a replay of each day, and candles show more and load sooner. */
const DEPTH_DAYS = 7

const LONG = { chart: 'candles', candleMs: null } as const

function showRange({ fromMs, toMs }: Span, { chart }: Stretch): void {
  const isLong = toMs - fromMs > DEPTH_DAYS * DAY_MS
  reshape({ fromMs, toMs, prices: null, ...(isLong && chart === 'depth' && LONG) })
}

export function Toolbar({ shown, scale, dates, candleMs }: ToolbarProps) {
  const { stretch } = shown
  return (
    <div class="toolbar" role="toolbar" aria-label="The chart">
      <OneOf
        label="What is drawn"
        all={CHARTS}
        chosen={stretch.chart}
        nameOf={(chart) => NAMES[chart]}
        titleOf={(chart) => ABOUT[chart]}
        choose={(chart) => adjust({ chart })}
        keys="c"
      />
      {stretch.chart === 'candles' && <CandleChoice stretch={stretch} candleMs={candleMs} />}
      <ZoomButtons shown={shown}>
        {dates.length > 1 &&
          RANGES.map(({ name, title, days }) => (
            <button
              key={name}
              type="button"
              title={title}
              onClick={() => showRange(lastDays(dates, shown.span, days), stretch)}
            >
              {name}
            </button>
          ))}
      </ZoomButtons>
      {stretch.prices !== null && (
        <button type="button" title="Prices follow the best ones again" onClick={() => reshape({ prices: null })}>
          Fit prices
        </button>
      )}
      <span class="space" />
      <DisplayMenu {...{ stretch, scale }} />
    </div>
  )
}

const CandleChoice = ({ stretch, candleMs }: { stretch: Stretch; candleMs: number }) => (
  <>
    <OneOf
      label="What candles are of"
      all={CANDLES_OF}
      chosen={stretch.candlesOf}
      nameOf={(each) => OF_NAMES[each]}
      choose={(candlesOf) => adjust({ candlesOf })}
    />
    <Choice
      label="Length of a candle"
      value={String(stretch.candleMs ?? '')}
      onChoose={(value) => adjust({ candleMs: value === '' ? null : Number(value) })}
    >
      <option value="">as fits{stretch.candleMs === null && ` (${lengthText(candleMs)})`}</option>
      {CANDLES_MS.map((ms) => (
        <option key={ms} value={ms}>
          {lengthText(ms)}
        </option>
      ))}
    </Choice>
  </>
)
