// A market's page in Debian's Chromium. Measures how long the page takes to draw, and how much script time gestures
// cost.

import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)
export const SIZE = { width: 1440, height: 900 }

export const launched = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })

/** Records when the chart first shows all of its data. */
const NOTE_DRAWN = `(() => {
  const look = () => {
    const chart = document.querySelector('[role=application]')
    if (chart === null || chart.getAttribute('aria-busy') !== 'false') return requestAnimationFrame(look)
    requestAnimationFrame(() => { window.drawnMs = performance.now() })
  }
  look()
})()`

export class ChartPage {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** Opens the page in a browser context of its own, without cached data of earlier pages. */
  static async open(browser: Browser, address: string): Promise<ChartPage> {
    const context = await browser.newContext({ viewport: SIZE, colorScheme: 'dark' })
    await context.addInitScript(NOTE_DRAWN)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(address)
    return new ChartPage(page, session)
  }

  /** Returns times since the navigation, ms. */
  async times(): Promise<{ paintMs: number; drawnMs: number }> {
    // Not `waitForFunction`: the page's policy forbids the code that it generates.
    while (!(await this.#page.evaluate<boolean>('window.drawnMs !== undefined'))) await Bun.sleep(20)
    return this.#page.evaluate(
      '({ paintMs: performance.getEntriesByName("first-contentful-paint")[0].startTime, drawnMs: window.drawnMs })',
    )
  }

  async reload(): Promise<void> {
    await this.#page.reload()
  }

  async settled(): Promise<void> {
    await this.#page.locator('.ladder tr.has-bid').first().waitFor()
    await this.#page.waitForLoadState('networkidle')
  }

  /** Returns the script time of each step and the frame after it, ms. */
  async scriptOf(steps: number, step: (number: number) => Promise<void>): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; i < steps; i++) {
      const before = await this.#scriptMs()
      await step(i)
      await this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      times.push((await this.#scriptMs()) - before)
    }
    return times
  }

  /** Drags the chart to and fro, a few pixels per step. */
  async pan(steps: number): Promise<number[]> {
    const { x, y, width } = await this.#chart()
    const { mouse } = this.#page
    await mouse.move(x + width / 2, y)
    await mouse.down()
    const times = await this.scriptOf(steps, (i) => mouse.move(x + width * (0.5 + 0.4 * Math.sin(i / 9)), y))
    await mouse.up()
    return times
  }

  /** Turns the wheel, in and out again. */
  async zoom(steps: number): Promise<number[]> {
    const { x, y, width } = await this.#chart()
    await this.#page.mouse.move(x + width / 3, y)
    return this.scriptOf(steps, (i) => this.#page.mouse.wheel(0, i % 40 < 20 ? -40 : 40))
  }

  press(key: string): Promise<void> {
    return this.#page.keyboard.press(key)
  }

  close(): Promise<void> {
    return this.#page.context().close()
  }

  async #chart(): Promise<{ x: number; y: number; width: number }> {
    const { x, y, width, height } = (await this.#page.locator('.pane .surface').first().boundingBox())!
    return { x, y: y + height / 2, width }
  }

  async #scriptMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1_000
  }
}
