// long: a browser draws every view
// Checks every view. A market's name never runs as code. The browser logs no error, axe-core finds nothing serious, and
// the view fits narrow and wide screens. Nothing moves by itself if the reader does not want motion.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'
import { HOSTILE_TITLE, hostileDay } from '../../support/explorer/hostile-day.ts'

const LONG_MS = 240_000
const DAY = hostileDay()
const AT = `at=${DAY.date}T12:00:00.000Z`
const KALSHI = `/explore/kalshi/${DAY.kalshiTicker}`
const EVENT = DAY.gammaEvent as { slug: string }
const HOSTILE = `/explore/polymarket/${DAY.conditionId}`
/** Widths of the screen, px. The next view opens at the last width. */
const WIDTHS = [360, 2560, 1280]

/** `act` does what a reader does on the page; `isThere` selects the part of the page that appears last. */
const VIEWS: Record<string, { path: string; act?: (page: Page) => Promise<unknown>; isThere: string }> = {
  start: { path: '/explore', isThere: '.venues .list a' },
  markets: { path: '/explore/polymarket', isThere: '.day-markets a' },
  browse: {
    path: '/explore/polymarket',
    act: async (page) => {
      for (const name of ['Browse by category', 'Synthetic', 'without a series'])
        await page.locator('.browse summary', { hasText: name }).click()
    },
    isThere: '.browse li a',
  },
  search: { path: '/explore', act: (page) => page.keyboard.press('/'), isThere: '.search .told' },
  'what is found': {
    path: '/explore',
    act: async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('combobox').fill('hostile')
    },
    isThere: '.found mark',
  },
  keys: { path: '/explore', act: (page) => page.keyboard.press('?'), isThere: '.shortcuts dl' },
  key: {
    path: '/explore',
    act: (page) => page.getByRole('button', { name: 'Key', exact: true }).click(),
    isThere: 'dialog.modal',
  },
  'market with messages and trades': {
    path: `${KALSHI}?${AT}&messages&trades`,
    isThere: '.records:has(.messages tr.current) .sales tr.current',
  },
  download: {
    path: `${KALSHI}?${AT}`,
    act: async (page) => {
      await page.keyboard.press('d')
      await page.getByText('Files of the whole day').click()
    },
    isThere: '.day-files tbody tr',
  },
  coverage: {
    path: `${KALSHI}?${AT}`,
    act: (page) => page.locator('.coverage summary').click(),
    isThere: '.coverage .hours button',
  },
  display: {
    path: `${KALSHI}?${AT}&studies=vwap,delta,imbalance,depth,profile`,
    act: (page) => page.locator('.menu summary').click(),
    isThere: '.menu-body',
  },
  candles: { path: `${KALSHI}?${AT}&chart=candles&candles=trades`, isThere: '.ladder tbody tr' },
  line: { path: `${KALSHI}?${AT}&chart=line`, isThere: '.ladder tbody tr' },
  embedded: { path: `${KALSHI}?${AT}&embed`, isThere: '.embedded .chart-panes[aria-busy=false]' },
  'hostile market': { path: `${HOSTILE}?${AT}&messages`, isThere: '.messages tr.current' },
  event: { path: `/explore/event/polymarket/${encodeURIComponent(EVENT.slug)}`, isThere: '.event tbody canvas' },
  'nothing stored': { path: '/explore/kalshi/KXNONE-26', isThere: 'main p' },
  compare: {
    path: `/explore/compare?a=kalshi:${DAY.kalshiTicker}&b=polymarket:${DAY.conditionId}:${DAY.assetIds[0]}`,
    isThere: '.compare-chart .chart-panes[aria-busy=false]',
  },
  'keys and usage': { path: '/explore/keys', isThere: 'main section, main .note' },
  status: { path: '/status', isThere: 'section[aria-label=Parts] tr' },
}

describe.skipIf(!hasChromium)('every view', () => {
  const served = demoBrowser({ kind: 'memory', day: DAY })

  /** Opens a view in the same page, as a reader goes from view to view. */
  async function show(page: Page, name: string): Promise<void> {
    const { path, act, isThere } = VIEWS[name]!
    await page.goto(served.demo.url + path)
    await page.locator('.venues .list a, main:not(.start) h1').first().waitFor()
    await act?.(page)
    await page.locator(isThere).first().waitFor()
    await page.waitForLoadState('networkidle')
  }

  test(
    'logs no error, axe-core finds nothing serious in dark and in light, and nothing is wider than the screen',
    async () => {
      await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
      const { page, complaints } = visit
      const axe = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()
      const found: Record<string, unknown> = {}
      for (const name of Object.keys(VIEWS)) {
        await show(page, name)
        await page.evaluate(axe)
        const dark = await page.evaluate<string[]>(seriousOf('{}'))
        await page.emulateMedia({ colorScheme: 'light' })
        // Checks only contrast in the light theme: the other rules do not depend on the theme.
        const light = await page.evaluate<string[]>(seriousOf("{ runOnly: ['color-contrast'] }"))
        await page.emulateMedia({ colorScheme: 'dark' })
        found[name] = { dark, light, harm: await page.evaluate(HARM) }
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 })
          await eventually(async () => {
            const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
            expect({ name, width, isWider }).toEqual({ name, width, isWider: false })
          })
        }
      }
      const good = { dark: [], light: [], harm: NO_HARM }
      expect(found).toEqual(Object.fromEntries(Object.keys(VIEWS).map((name) => [name, good])))
      // The browser itself reports the request for the market that is not stored.
      expect(complaints).toEqual([expect.stringMatching(/^console: Failed to load resource.*404/)])
    },
    LONG_MS,
  )

  test(
    'shows the name of a market as plain text everywhere',
    async () => {
      await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
      const { page, complaints } = visit
      await show(page, 'hostile market')
      await eventually(async () => expect(await page.locator('h1').textContent()).toStartWith(HOSTILE_TITLE))
      await page.goto(`${served.demo.url}/explore`)
      await page.locator('.cards a', { hasText: 'onerror' }).waitFor()
      await page.keyboard.press('/')
      await page.getByRole('combobox').fill('hostile')
      // Waits for the result: until the answer comes, the list has the markets viewed before.
      await page.locator('.found mark').first().waitFor()
      const found = page.locator(`#found-polymarket-${DAY.conditionId}`)
      expect(await found.locator('.title').textContent()).toContain(HOSTILE_TITLE)
      // A character in the title that reverses the direction of text must not reverse the text after the title.
      const venue = found.locator('.venue')
      expect(await venue.textContent()).toBe('polymarket')
      expect(await page.evaluate(IS_LEFT_TO_RIGHT)).toBe(true)
      await found.click()
      await page.locator('.pane').first().waitFor()
      expect(new URL(page.url()).pathname).toBe(HOSTILE)
      expect(await page.evaluate<unknown>(HARM)).toEqual(NO_HARM)
      expect(complaints).toEqual([])
    },
    LONG_MS,
  )

  test.each([
    ['invalid zone, time, palette', `${KALSHI}?zone=Mars/Phobos&from=9999-12-31&to=0001-01-01&palette=__proto__&${AT}`],
    [
      'a range of a millisecond',
      `${KALSHI}?from=2026-07-20T00:00:00Z&to=2026-07-20T00:00:00.001Z&prices=0-0.0000001&record=1e99&${AT}`,
    ],
    ['a script', '/explore/kalshi/%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
    ['names of the language', '/explore/polymarket/__proto__?book=constructor'],
    ['1,000 letters', `/explore/kalshi/${'A'.repeat(1_000)}`],
  ])('a URL that somebody else wrote opens a page that works: %s', async (_, path) => {
    await using visit = await served.explorer.visit(`${path}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.locator('.pane, .failed').first().waitFor()
    await page.keyboard.press('?')
    await page.locator('.shortcuts dl').waitFor()
    // The browser itself reports each failed request.
    expect(complaints.filter((each) => !/^console: Failed to load resource.*40[04]/.test(each))).toEqual([])
  })

  test(
    'moves nothing by itself if the reader does not want motion',
    async () => {
      const moved: number[] = []
      for (const reducedMotion of [false, true]) {
        await using visit = await served.explorer.visit(`${KALSHI}?${AT}#key=${served.demo.secret}`, { reducedMotion })
        const { page } = visit
        await page.evaluate(
          'moved = 0; addEventListener("animationstart", () => moved++); addEventListener("transitionrun", () => moved++)',
        )
        await page.locator('.ladder tr.has-bid').first().waitFor()
        await page.getByLabel('Speed').selectOption('1000')
        await page.getByRole('button', { name: 'Play', exact: true }).click()
        while ((await page.locator('.clock').inputValue()) < '12:15') await page.waitForTimeout(50)
        await page.getByRole('button', { name: 'Pause', exact: true }).click()
        moved.push(await page.evaluate<number>('moved'))
      }
      expect(moved[0]).toBeGreaterThan(0)
      expect(moved[1]).toBe(0)
    },
    LONG_MS,
  )
})

/** Returns the effects of a market's name on the page: a script that ran, and elements that it made. */
const HARM = '({ script: window.harmed ?? null, elements: document.querySelectorAll("img, svg, iframe").length })'
const NO_HARM = { script: null, elements: 0 }

const seriousOf = (options: string) => `axe.run(${options}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(', ')))`

/** Returns whether the first letter of a found market's venue is to the left of its last letter. */
const IS_LEFT_TO_RIGHT = `(() => {
  const text = document.querySelector('.found .venue').firstChild
  const leftOf = (at) => {
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    return range.getBoundingClientRect().left
  }
  return leftOf(0) < leftOf(text.length - 1)
})()`
