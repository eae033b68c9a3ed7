// Describes the trade mark under the pointer: price, size, side, time, and the venue's id of a single trade.

import { useEffect, useState } from 'preact/hooks'
import { tradeIds } from '../data/answers.ts'
import { countText, shortId, sizeText } from '../state/number-text.ts'
import { clockText } from '../state/time-text.ts'
import { sideMark, sideWord } from '../state/trade-text.ts'
import { shownPrice } from '../state/units.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { hovered } from './base/hovered.ts'
import { type Plot, xOf, yOf } from './base/plot.ts'
import { markAt, type TradeMark } from './draw/trade-marks.ts'
import { MAIN, tradeMarks } from './market-panes.tsx'
import type { MarketWindows } from './market-windows.ts'

const WIDTH_PX = 230
const APART_PX = 10
/** The id is requested only if the pointer rests this long. */
const REST_MS = 150

/** `plot` is the plot of the prices, in canvas pixels. */
type TipProps = { book: BookId; stretch: Stretch; windows: MarketWindows; plot: Plot; decimals: number }

type Place = [x: number, y: number, right: number]

export function TradeTip({ book, stretch, windows, plot, decimals }: TipProps) {
  const at = hovered.value
  if (at?.pane !== MAIN || at.value === null || stretch.chart !== 'depth') return null
  const mark = markAt(tradeMarks(plot, windows), xOf(plot, at.ms), yOf(plot, at.value))
  if (mark === undefined) return null
  const [x, y, right] = [mark.x, mark.y, plot.left + plot.width].map((each) => each / plot.ratio) as Place
  const left = x + WIDTH_PX + APART_PX < right ? x + APART_PX : Math.max(0, x - APART_PX - WIDTH_PX)
  return (
    <div class="trade-tip" style={{ left: `${left}px`, top: `${y + APART_PX}px`, width: `${WIDTH_PX}px` }}>
      <TipText {...{ book, mark, decimals, zone: stretch.zone }} />
    </div>
  )
}

function TipText({ book, mark, decimals, zone }: { book: BookId; mark: TradeMark; decimals: number; zone: string }) {
  const { ms, price, size, bought, sold, count, record } = mark
  if (record !== null) {
    const side = bought > 0 ? 'buy' : sold > 0 ? 'sell' : null
    return (
      <>
        <b class={side ?? ''}>
          {sideMark(side)} {shownPrice(price, decimals)} × {sizeText(size)}
        </b>{' '}
        {sideWord(side)}
        <span>{clockText(ms, zone)}</span>
        <TradeId key={record} {...{ book, ms, record }} />
      </>
    )
  }
  return (
    <>
      <b>
        {shownPrice(Number(price.toFixed(4)), decimals)} × {sizeText(size)}
      </b>{' '}
      {count === 1 ? 'one trade' : `in ${countText(count)} trades`}
      <span>
        ▲ {sizeText(bought)} bought, ▼ {sizeText(sold)} sold
      </span>
    </>
  )
}

function TradeId({ book, ms, record }: { book: BookId; ms: number; record: number }) {
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  const id = isResting ? tradeIds(book, ms).value?.get(record) : undefined
  return <span class="mono">{id == null ? '…' : shortId(id)}</span>
}
