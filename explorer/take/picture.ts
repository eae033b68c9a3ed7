// Draws the chart as a PNG with its title, axes, time zone and source.

import { colours } from '../charts/base/colours.ts'
import { axisFont } from '../charts/draw/axes.ts'
import { painters } from '../charts/pane/pane.tsx'
import { cursorBest } from '../replay/cursor-best.ts'
import { shownDetail } from '../state/detail.ts'
import { sizeText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { clockText, lengthText } from '../state/time-text.ts'
import { shownPrice } from '../state/units.ts'
import { AGGREGATE_NAMES, type CompareView, type MarketView, printView } from '../state/view.ts'
import { rangeText } from './range-text.ts'
import { saveBlob } from './save.ts'

const MARGIN_PX = 14
const TITLE_PX = 20
const LINE_PX = 18
/** Canvas pixels per page pixel: a picture is crisp on a slide, whatever the screen. */
const RATIO = 2

export type Pictured = { view: MarketView | CompareView; span: Span; title: string; about: string }

/** Saves the picture and resolves to the file name. `about` is the line below the title. */
export async function picture({ view, span, title, about }: Pictured): Promise<string> {
  const panes = [...document.querySelectorAll<HTMLElement>('.chart .pane')]
  const canvas = drawn(panes, view.atMs, {
    ...{ title, about },
    when: [rangeText(span, view.zone), ...pricesText(view)].join(' · '),
    legend: legendTexts(view),
    source: `backbook · ${location.origin}${printView({ ...view, ...span })}`,
  })
  const books = view.page === 'market' ? [view.book] : [view.first, view.second].filter((book) => book !== null)
  const names = books.map(({ venue, market }) => `${venue}_${market}`)
  const when = new Date(span.fromMs).toISOString().slice(0, 19).replaceAll(':', '')
  const name = `${['backbook', ...names, when].join('_').replace(/[^\w.-]+/g, '-')}.png`
  saveBlob(await canvas.convertToBlob({ type: 'image/png' }), name)
  return name
}

/** Returns texts that explain the candles, the line or the cells of the depth map, and the trade marks on the map. */
function legendTexts({ page, aggregate, chart, candlesOf }: MarketView | CompareView): string[] {
  const sides = 'bids blue, asks orange, lines the best of each'
  const marks = 'trades: ▲ bought, ▼ sold, ● both, ○ side not known'
  if (page === 'compare') return [sides, marks]
  if (chart === 'line') return ['the mid price in %, or the last trade where the spread is wider than 10¢']
  if (chart === 'candles')
    return [`candles of ${candlesOf === 'mid' ? 'the mid price' : 'trades'}, filled where they fell`]
  const detail = shownDetail.value
  if (detail === null) return [sides, marks]
  const { priceStep, resolutionMs, sizes } = detail
  const cents = Number((priceStep * 100).toFixed(4))
  const scale =
    sizes === undefined
      ? ''
      : `, ${sizeText(Number(sizes.faintest.toPrecision(2)))} to ${sizeText(sizes.highest)} contracts`
  const cell = `${AGGREGATE_NAMES[aggregate]} size in ${lengthText(resolutionMs)} × ${cents}¢${scale}`
  return [`${sides}: ${cell}`, marks]
}

/** Returns the best prices at the cursor, if they are known. */
function pricesText({ page, zone }: MarketView | CompareView): string[] {
  const best = cursorBest.value
  if (page !== 'market' || best === null) return []
  return [`bid ${shownPrice(best.bid)} ask ${shownPrice(best.ask)} at ${clockText(best.ms, zone)}`]
}

type Texts = { title: string; about: string; when: string; legend: readonly string[]; source: string }

/** `atMs` is the cursor's instant. */
function drawn(
  panes: readonly HTMLElement[],
  atMs: number | null,
  { title, about, when, legend, source }: Texts,
): OffscreenCanvas {
  const ratio = RATIO
  const ink = colours()
  const charts = panes.map((pane) => ({
    chart: painters.get(pane)!(ratio, atMs),
    name: pane.querySelector('.pane-name'),
  }))
  const [margin, line] = [MARGIN_PX * ratio, LINE_PX * ratio]
  const width = Math.max(0, ...charts.map(({ chart }) => chart.width)) + 2 * margin
  const top = margin + TITLE_PX * ratio + (2 + legend.length) * line
  const chartsHeight = charts.reduce((sum, { chart }) => sum + chart.height, 0)
  const sources = brokenText(source, Math.floor((width - 2 * margin) / (SOURCE_LETTER_PX * ratio)))
  const height = top + chartsHeight + (1 + sources.length) * line + margin
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.fillStyle = ink.ground
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'top'
  const write = (text: string, y: number, fill: string, font = axisFont(ratio * 1.15), indent = 0) => {
    context.font = font
    context.fillStyle = fill
    context.fillText(fitting(context, text, width - 2 * margin - indent), margin + indent, y)
  }
  write(title, margin, ink.strong, `600 ${axisFont(ratio * 1.45)}`)
  for (const [i, text] of [about, when, ...legend].entries())
    write(text, margin + (TITLE_PX + 4) * ratio + i * line, ink.text)
  let y = top + 0.5 * line
  for (const { chart, name } of charts) {
    context.drawImage(chart, margin, y)
    if (name?.textContent) {
      context.font = axisFont(ratio)
      context.fillStyle = ink.halo
      context.fillRect(margin, y + 5 * ratio, context.measureText(name.textContent).width + 8 * ratio, 14 * ratio)
      write(name.textContent, y + 6 * ratio, ink.text, axisFont(ratio), 4 * ratio)
    }
    y += chart.height
  }
  for (const [i, text] of sources.entries()) write(text, y + (0.5 + i) * line, ink.text, axisFont(ratio))
  return canvas
}

/** Upper bound of the average width of a letter in the source line. */
const SOURCE_LETTER_PX = 6.6

/** Breaks a link into as many lines as it needs; nothing is cut off. */
const brokenText = (text: string, lettersMax: number): string[] =>
  Array.from({ length: Math.ceil(text.length / lettersMax) }, (_, i) =>
    text.slice(i * lettersMax, (i + 1) * lettersMax),
  )

/** Cuts a text off where it would not fit. */
function fitting(context: OffscreenCanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = text.length
  while (end > 0 && context.measureText(`${text.slice(0, end)}…`).width > width) end--
  return `${text.slice(0, end)}…`
}
