// long: a browser draws every view
// Finds a market in the browser: by the keyboard alone, by the mouse, by an address, and from recently viewed markets.

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

describe.skipIf(!hasChromium)('finding a market', () => {
  const served = demoBrowser()

  const ofKalshi = `/explore/kalshi/${DAY.kalshiTicker}`
  /** Waits until the list has the results of the whole text: the results then mark `word`. */
  const isFound = (page: Page, word: string) =>
    page
      .locator('.found:not(.busy) mark')
      .getByText(new RegExp(`^${word}$`, 'i'))
      .first()
      .waitFor()
  /** Waits until the option at that index is selected; returns its id. */
  const chosenAt = async (page: Page, index: number): Promise<string> => {
    const isChosen = page.locator('[aria-selected=true]')
    const chosen = page.locator('.found [role=option]').nth(index).and(isChosen)
    return (await chosen.getAttribute('id'))!
  }
  const isAt = (path: string) => (url: URL) => url.pathname === path

  test('by the keyboard alone, and then from recently viewed markets', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    expect(page.url()).not.toContain(served.demo.secret)
    await page.locator('.venues .list a').first().waitFor()
    await page.keyboard.press('/')
    const field = page.locator('.search [role=combobox]')
    await field.waitFor()
    await page.keyboard.type('springfield')
    const options = page.locator('.found [role=option]')
    await isFound(page, 'springfield')
    await chosenAt(page, 0)
    expect(await options.first().textContent()).toContain(DAY.date)
    await page.keyboard.press('ArrowDown')
    const id = await chosenAt(page, 1)
    expect(await field.getAttribute('aria-activedescendant')).toBe(id)
    await page.keyboard.press('Enter')
    await page.waitForURL(isAt(`/explore/polymarket/${id.replace('found-polymarket-', '')}`))
    await page.locator('.pane').first().waitFor()
    await page.keyboard.press('Control+k')
    await options.first().filter({ hasText: 'Springfield' }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.goBack()
    await page.locator('.cards a').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('a selected market stays selected in the next list, until more is typed', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visit
    await page.locator('.venues .list a').first().waitFor()
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('spring')
    await isFound(page, 'spring')
    const released = Promise.withResolvers<void>()
    await page.route('**/search?*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.keyboard.type('field')
    await page.keyboard.press('ArrowDown')
    const id = await chosenAt(page, 1)
    released.resolve()
    await isFound(page, 'springfield')
    await page.locator(`#${id}[aria-selected=true]`).waitFor()
    await page.keyboard.type(' high')
    await isFound(page, 'high')
    await chosenAt(page, 0)
  })

  test('by text that was typed before the field was ready, also with Enter', async () => {
    await using visit = await served.explorer.visit(`${ofKalshi}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.locator('.ladder tbody tr').first().waitFor()
    const released = Promise.withResolvers<void>()
    const part = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      part.resolve()
      await released.promise
      await route.continue()
    })
    await page.keyboard.press('/')
    await part.promise
    // The first letters are also keys of the page: `m` would show the messages, `c` the candles.
    await page.keyboard.type('mc')
    for (let i = 0; i < 2; i++) await page.keyboard.press('Backspace')
    await page.keyboard.type('springfield 80-84')
    await page.keyboard.press('Enter')
    released.resolve()
    await page.waitForURL(/\/explore\/polymarket\//)
    await page.getByRole('heading', { name: /80-84/ }).waitFor()
    expect(new URL(page.url()).search).not.toMatch(/messages|candles/)
    expect(complaints).toEqual([])
  })

  test('Enter opens the typed market, also before the search has answered', async () => {
    await using visit = await served.explorer.visit(`${ofKalshi}#key=${served.demo.secret}`)
    const { page } = visit
    await page.locator('.ladder tbody tr').first().waitFor()
    await page.keyboard.press('/')
    // Until something is typed, the list has the markets viewed before.
    await page.locator('.found [role=option]').first().waitFor()
    await page.keyboard.type('springfield 80-84')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/explore\/polymarket\//)
    await page.getByRole('heading', { name: /80-84/ }).waitFor()
  })

  test('by the mouse, in one venue', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Find a market/ })
      .click()
    await page.getByRole('button', { name: 'Kalshi', exact: true }).click()
    await page.getByRole('combobox').fill('kxdemoday')
    await page.getByRole('option').first().click()
    await page.waitForURL(isAt(ofKalshi))
    expect(complaints).toEqual([])
  })

  test('by the URL of its page at the venue', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visit
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(`https://polymarket.com/event/${DAY.slug}?tid=1`)
    await page.locator(`#found-polymarket-${DAY.conditionId}`).waitFor()
    await page.getByRole('status').getByText('3 markets', { exact: true }).waitFor()
  })

  test('says that nothing matches, and closes on a click outside', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visit
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('nowhere to be found')
    await page.getByText('No market has all of these words.').waitFor()
    await page.mouse.click(5, 400)
    await page.getByRole('combobox').waitFor({ state: 'detached' })
  })

  test('from the busiest markets of a day that is chosen in the calendar', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visit
    const kalshi = page.getByRole('region', { name: 'Kalshi' })
    await kalshi.getByRole('button', { name: new RegExp(`^${DAY.date}`) }).click()
    await page.waitForURL((url) => url.search === `?date=${DAY.date}`)
    const answer = await served.demo.get(`/kalshi/markets/active?date=${DAY.date}`)
    const [busiest] = ((await answer.json()) as { data: { records: number; trades: number }[] }).data
    const cells = kalshi.locator('.list tbody tr').first().locator('.number')
    await eventually(async () => {
      const numbers = (await cells.allTextContents()).map((text) => Number(text.replaceAll(',', '')))
      expect(numbers.slice(0, 2)).toEqual([busiest!.records, busiest!.trades])
    })
    await kalshi.locator('.list a').first().click()
    await page.waitForURL(isAt(ofKalshi))
  })
})
