// Reads pixels of the drawn chart of prices by instant and price, and moves the pointer over them.

import type { Page } from 'playwright-core'
import type { Span } from '../../../explorer/state/shown.ts'
import { shareOf } from '../../../explorer/state/time-axis.ts'

/** The range of time and prices that the chart shows. */
type Shown = Span & { low: number; high: number }

export const isDrawn = (page: Page) => page.locator('.chart-panes[aria-busy=false]').waitFor()

/** Moves the pointer over an instant and a price of the chart of prices. */
export async function pointAt(
  page: Page,
  { ms, dollars }: { ms: number; dollars: number },
  shown: Shown,
): Promise<void> {
  const { x, y, width, height } = (await page.locator('.pane .surface').first().boundingBox())!
  await page.mouse.move(
    x + shareOf(shown, ms) * width,
    y + ((shown.high - dollars) / (shown.high - shown.low)) * height,
  )
}

/** Returns the pixels of the chart of prices, once it no longer changes. */
export async function pixelsOf(page: Page, shown: Shown) {
  await page.mouse.move(0, 0)
  const pane = page.locator('.pane').first()
  const { width, base64 } = await pane.locator('canvas').first().evaluate(dataOf)
  const data = new Uint32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer)
  const plot = await pane.locator('.surface').evaluate(placeOf)
  const xOf = (ms: number) => Math.floor(shareOf(shown, ms) * plot.width)
  const yOf = (dollars: number) =>
    plot.top + Math.floor(((shown.high - dollars) / (shown.high - shown.low)) * plot.height)
  const at = (x: number, y: number) => data[y * width + x]!
  return {
    /** Returns a few adjacent pixels; a grid line hides at most one of them. */
    around: (ms: number, dollars: number) => [-2, -1, 0, 1].map((by) => at(xOf(ms) + by, yOf(dollars))),
    /** Returns the number of colours on a horizontal line between two instants. */
    kindsIn(fromMs: number, toMs: number, dollars: number): number {
      const kinds = new Set<number>()
      for (let x = xOf(fromMs); x < xOf(toMs); x++) kinds.add(at(x, yOf(dollars)))
      return kinds.size
    },
  }
}

type Canvas = {
  width: number
  height: number
  getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } }
}

/** Runs in the page. Returns text, because a list of a million numbers would take seconds to transfer. */
function dataOf(canvas: unknown): { width: number; base64: string } {
  const { width, height } = canvas as Canvas
  const { data } = (canvas as Canvas).getContext('2d').getImageData(0, 0, width, height)
  return { width, base64: new Uint8Array(data.buffer).toBase64() }
}

function placeOf(surface: unknown): { top: number; width: number; height: number } {
  const { offsetTop, clientWidth, clientHeight } = surface as Record<string, number>
  return { top: offsetTop!, width: clientWidth!, height: clientHeight! }
}
