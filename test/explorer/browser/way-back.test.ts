// long: a browser draws every view
// Returns to the view before a gesture, and undoes the change of a key press.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const FROM = `${DAY.date}T12:00:00.000Z`
const TO = `${DAY.date}T14:00:00.000Z`
const MARKET = `/explore/kalshi/${DAY.kalshiTicker}`

describe.skipIf(!hasChromium)('the way back', () => {
  const served = demoBrowser()

  const open = async (path: string) => {
    const visit = await served.explorer.visit(`${path}#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    return visit
  }
  const query = (page: Page) => new URL(page.url()).searchParams

  test('from gestures is a key; each gesture is one step', async () => {
    await using visit = await open(`${MARKET}?from=${FROM}&to=${TO}&prices=0.3-0.7`)
    const { page, complaints } = visit
    const button = page.getByRole('button', { name: 'What was shown before' })
    expect(await button.isDisabled()).toBe(true)
    const { x, y, width, height } = (await page.locator('.pane .surface').first().boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    for (const step of [1, 2, 3, 4]) await page.mouse.move(x + width / 2 - 50 * step, y + height / 2 + 10 * step)
    await page.mouse.up()
    await page.waitForURL((url) => url.searchParams.get('from') !== FROM)
    await Bun.sleep(800)
    await page.keyboard.press('+')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.waitForURL((url) => url.searchParams.get('from') === FROM)
    expect([query(page).get('to'), query(page).get('prices')]).toEqual([TO, '0.3-0.7'])
    expect(await button.isDisabled()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('from a zoom to a box: its time and prices are shown, or only its time in a pane without prices', async () => {
    await using visit = await open(`${MARKET}?from=${FROM}&to=${TO}&prices=0.3-0.7`)
    const { page, complaints } = visit
    const drawBox = async (pane: number, [top, bottom]: [number, number]) => {
      const { x, y, width, height } = (await page.locator('.pane .surface').nth(pane).boundingBox())!
      await page.keyboard.down('Shift')
      await page.mouse.move(x + width * 0.75, y + height * top)
      await page.mouse.down()
      await page.mouse.move(x + width * 0.25, y + height * bottom, { steps: 3 })
      const box = (await page.locator('.zoom-box').boundingBox())!
      await page.mouse.up()
      await page.keyboard.up('Shift')
      await page.waitForURL((url) => url.searchParams.get('from') !== FROM)
      expect(await page.locator('.zoom-box').count()).toBe(0)
      return { width: box.width / width, height: box.height / height }
    }
    const shown = () => ['from', 'to', 'prices'].map((name) => query(page).get(name)!)
    const isNear = (text: string, clock: string) =>
      Math.abs(Date.parse(text) - Date.parse(`${DAY.date}T${clock}:00Z`)) < 10_000
    const box = await drawBox(0, [0.75, 0.25])
    expect([box.width, box.height].map((share) => Math.round(share * 100))).toEqual([50, 50])
    const [from, to, prices] = shown() as [string, string, string]
    expect([isNear(from, '12:30'), isNear(to, '13:30')]).toEqual([true, true])
    for (const [i, price] of prices.split('-').entries()) expect(Number(price)).toBeCloseTo([0.4, 0.6][i]!, 2)
    expect(query(page).has('at')).toBe(false)
    await page.keyboard.press('Control+z')
    await page.waitForURL((url) => url.searchParams.get('from') === FROM)
    expect(shown()).toEqual([FROM, TO, '0.3-0.7'])
    // Values of other panes are not prices.
    const { x, y } = (await page.locator('.pane .surface').nth(1).boundingBox())!
    await page.mouse.move(x + 50, y + 20)
    await page.keyboard.down('Alt')
    await page.mouse.wheel(0, 120)
    await page.keyboard.up('Alt')
    expect((await drawBox(1, [0.5, 0.6])).height).toBeGreaterThan(0.9)
    expect(shown()[2]).toBe('0.3-0.7')
    await page.keyboard.press('?')
    await page.locator('.shortcuts', { hasText: 'Zoom to a box' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('from a double click leaves the cursor where it was', async () => {
    const at = `${DAY.date}T13:00:00.000Z`
    await using visit = await open(`${MARKET}?from=${FROM}&to=${TO}&at=${at}`)
    const { page } = visit
    await page.locator('.pane .surface').first().dblclick()
    await page.waitForURL((url) => url.searchParams.get('from') === null)
    expect(query(page).get('at')).toBe(at)
  })

  test('from another outcome is the Back button of the browser', async () => {
    await using visit = await open(`/explore/polymarket/${DAY.conditionId}`)
    const { page } = visit
    const outcome = page.getByLabel('Outcome')
    await outcome.selectOption({ label: 'No' })
    await page.waitForURL(new RegExp(`book=${DAY.assetIds[1]}`))
    await page.goBack()
    await eventually(async () => expect(await outcome.inputValue()).toBe(DAY.assetIds[0]!))
  })

  test('from another theme is the theme of the device', async () => {
    await using visit = await open(MARKET)
    const { page } = visit
    const theme = () => page.evaluate<string | null>('document.documentElement.getAttribute("data-theme")')
    const toggle = page.getByRole('button', { name: /^Colours/ })
    expect(await theme()).toBeNull()
    await toggle.click()
    expect(await theme()).toBe('light')
    await toggle.click()
    expect(await theme()).toBeNull()
  })

  test('the page requests no key if none is needed', async () => {
    await using visit = await served.explorer.visit('/explore')
    const { page } = visit
    const button = page.getByRole('button', { name: 'Enter key' })
    await button.first().waitFor()
    await page.route('**/api/v1/**', (route) => {
      const headers = { ...route.request().headers(), authorization: `Bearer ${served.demo.secret}` }
      return route.continue({ headers })
    })
    await page.goto(served.demo.url + MARKET)
    await isDrawn(page)
    expect(await button.count()).toBe(0)
  })
})
