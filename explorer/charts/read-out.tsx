// Shows the data under the pointer as text: instant, price, the exact size of the cell and how long it has been
// unchanged, the best prices, the spread, trades, and why the book is unknown.

import { rowAt } from '../data/columns/count-up-to.ts'
import { centDecimals, type PriceRange, tickAt } from '../data/ticks.ts'
import { cursorBest } from '../replay/cursor-best.ts'
import { countText, percentText, sizeText, UNKNOWN } from '../state/number-text.ts'
import { clockText, dateText, durationText, lengthText, zoneText } from '../state/time-text.ts'
import { shownPrice } from '../state/units.ts'
import { AGGREGATE_NAMES, type Stretch } from '../state/view.ts'
import { type Cell, cellAt } from './base/cell.ts'
import { hovered } from './base/hovered.ts'
import type { Named } from './base/stretches.ts'
import { nearest } from './base/value-ticks.ts'
import { MAIN } from './market-panes.tsx'
import type { MarketWindows } from './market-windows.ts'

const SECOND_MS = 1_000

type ReadOutProps = {
  windows: MarketWindows
  ticks: readonly PriceRange[]
  stretch: Stretch
  /** Stretches with a label. */
  named: readonly Named[]
  /** A stretch counts as under the pointer up to this distance from it, ms. */
  nearMs: number
}

export function ReadOut(props: ReadOutProps) {
  const at = hovered.value
  const ms = at?.ms ?? props.stretch.atMs
  if (ms === null || ms === undefined)
    return <p class="read-out quiet">Point at the chart: drag to move, wheel to zoom, click for the book.</p>
  // At the cursor, use the ladder's book: it is the book at that very instant, not at the end of a bucket.
  const there = at === null && cursorBest.value?.ms === ms ? cursorBest.value : undefined
  // Values in other panes are not prices.
  const read = readAt(props, ms, at?.pane === MAIN ? at.value : null, there)
  return (
    <p class="read-out">
      {read.map(({ name, text, side }) => (
        <span key={name} class={side}>
          {name !== '' && <i>{name} </i>}
          {text}
        </span>
      ))}
    </p>
  )
}

export type Reading = { name: string; text: string; side?: string }

/** Returns the chart's reading at an instant and, if there is one, at a price. `there` holds the best prices of that
 *  instant, if known; otherwise the reading uses the best prices at the end of the instant's bucket. */
export function readAt(
  { windows, ticks, stretch, named, nearMs }: ReadOutProps,
  ms: number,
  dollars: number | null,
  there?: { bid: number; ask: number },
): Reading[] {
  const { depth, best, tick, bucketMs, resolutionMs } = windows
  const price = (value: number | null) => shownPrice(value, centDecimals(tick))
  const readings: Reading[] = [
    { name: '', text: `${dateText(ms, stretch.zone)} ${clockText(ms, stretch.zone, Math.min(1_000, resolutionMs))}` },
    { name: 'zone', text: zoneText(stretch.zone, ms) },
  ]
  const layer = depth.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
  const cell =
    layer && dollars !== null
      ? cellAt(layer.window, ms, dollars, { tick, tickAt: (at) => tickAt(ticks, at) })
      : undefined
  if (cell !== undefined) readings.push(...ofCell(cell, ms, price, stretch))
  else if (dollars !== null) readings.push({ name: 'price', text: price(nearest(dollars, tick ?? 0.001)) })
  readings.push(...candleAt(windows, ms, price, stretch), ...lineAt(windows, ms))
  const row = rowAt(best.times, ms, best.resolutionMs)
  const { bid, ask } = there ?? { bid: best.bid[row] ?? Number.NaN, ask: best.ask[row] ?? Number.NaN }
  // In a longer bucket, the reading is the book at the end of the bucket, not at the instant.
  if (there === undefined && best.resolutionMs > SECOND_MS)
    readings.push({ name: 'end of', text: lengthText(best.resolutionMs) })
  readings.push({ name: 'bid', text: price(bid), side: 'bid' }, { name: 'ask', text: price(ask), side: 'ask' })
  readings.push({ name: 'spread', text: price(Number((ask - bid).toFixed(6))) })
  const traded = tradedAt(windows, ms, bucketMs)
  if (traded !== null) readings.push({ name: `traded in ${lengthText(bucketMs)}`, text: traded })
  const why = named.find(({ fromMs, toMs }) => ms >= fromMs - nearMs && ms < toMs + nearMs)
  if (why !== undefined) readings.push({ name: '', text: why.text, side: why.isLoss ? 'why loss' : 'why' })
  return readings
}

export const readingText = (readings: readonly Reading[]): string =>
  readings.map(({ name, text }) => `${name} ${text}`.trim()).join(', ')

function ofCell(cell: Cell, ms: number, price: (value: number) => string, { aggregate }: Stretch): Reading[] {
  const at = { name: 'price', text: price(cell.low) }
  if (!cell.isKnown) return [at, { name: 'size', text: UNKNOWN }]
  if (cell.size === 0) return [at, { name: 'size', text: '0' }]
  const side = cell.size > 0 ? 'bid' : 'ask'
  const length = lengthText(cell.toMs - cell.fromMs)
  const age = cell.toMs - cell.sinceMs
  return [
    at,
    { name: `${side}, ${AGGREGATE_NAMES[aggregate]} in ${length}`, text: exactText(Math.abs(cell.size)), side },
    { name: 'unchanged for', text: age <= cell.toMs - cell.fromMs ? `< ${length}` : durationText(ms - cell.sinceMs) },
  ]
}

function candleAt(
  { candles }: MarketWindows,
  ms: number,
  price: (value: number) => string,
  { candlesOf }: Stretch,
): Reading[] {
  const row = candles === null ? -1 : rowAt(candles.times, ms, candles.resolutionMs)
  if (candles === null || row === -1) return []
  return (['open', 'high', 'low', 'close'] as const).map((name, i) => ({
    name: i === 0 ? `${candlesOf}: ${name}` : name,
    text: price(candles[name][row]!),
  }))
}

function lineAt({ line }: MarketWindows, ms: number): Reading[] {
  const row = line === null ? -1 : rowAt(line.times, ms, line.resolutionMs)
  if (line === null || row === -1) return []
  return [{ name: line.isTrade[row] === 1 ? 'last trade' : 'mid', text: percentText(line.values[row]!) }]
}

/** From this size on, 32-bit floats cannot hold hundredths of a contract. */
const ROUNDED_FROM = 131_072

const exactText = (size: number): string => (size < ROUNDED_FROM ? sizeText(size) : `≈ ${sizeText(Math.round(size))}`)

function tradedAt({ trades }: MarketWindows, ms: number, bucketMs: number): string | null {
  for (const { timestamp, volume, buyVolume, sellVolume, count } of trades) {
    const row = rowAt(timestamp, ms, bucketMs)
    if (row === -1 || !(volume[row]! > 0)) continue
    const sides = `${sizeText(buyVolume[row]!)} bought, ${sizeText(sellVolume[row]!)} sold`
    return `${sizeText(volume[row]!)} in ${countText(count[row]!)} (${sides})`
  }
  return null
}
