// long: a browser draws every view
// Checks the API key that a reader enters. A page without data says why, and offers a way to continue.

import { describe, expect, test } from 'bun:test'
import { serveDemo } from '../../support/demo.ts'
import { hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const PLAN = { id: 'slow', name: 'Slow', calls_per_month: null, calls_per_second: 1, burst: 2 }

describe.skipIf(!hasChromium)('a key', () => {
  const served = demoBrowser()

  test('is requested, used for the session, and forgotten', async () => {
    await using visit = await served.explorer.visit('/explore')
    const { page } = visit
    await page.getByText('The page is public, the data is not').waitFor()
    await page.getByLabel('API key', { exact: true }).fill(`bb_${'x'.repeat(43)}`)
    await page.keyboard.press('Enter')
    await page.getByText('key_unknown').waitFor()
    await page.getByLabel('API key', { exact: true }).fill(served.demo.secret)
    await page.keyboard.press('Enter')
    const market = page.locator('.venues .list a').first()
    await market.waitFor()
    expect(page.url()).toBe(`${served.demo.url}/explore`)

    const other = await page.context().newPage()
    await other.goto(`${served.demo.url}/explore`)
    await other.getByText('The page is public, the data is not').waitFor()

    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('until this tab is closed').waitFor()
    await page.getByRole('button', { name: 'Forget it' }).click()
    await page.getByText('The page is public, the data is not').waitFor()
    await market.waitFor({ state: 'detached' })
  })

  test('is remembered on the device if the reader chooses so', async () => {
    await using visit = await served.explorer.visit('/explore')
    const { page } = visit
    await page.getByLabel('API key', { exact: true }).fill(served.demo.secret)
    await page.getByLabel(/^Remember it on this device/).check()
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.locator('.venues .list a').first().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${served.demo.url}/explore`)
    await other.locator('.venues .list a').first().waitFor()
    await other.getByRole('button', { name: 'Key', exact: true }).click()
    await other.getByText('remembered on this device').waitFor()
  })

  test('comes with a link and leaves its address at once', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.locator('.venues .list a').first().waitFor()
    expect(page.url()).toBe(`${served.demo.url}/explore`)
    expect(complaints).toEqual([])
  })

  test('comes with a link to the page that is already open', async () => {
    await using visit = await served.explorer.visit('/explore')
    const { page } = visit
    await page.getByText('The page is public, the data is not').waitFor()
    await page.goto(`${served.demo.url}/explore#key=${served.demo.secret}`)
    await page.locator('.venues .list a').first().waitFor()
    expect(page.url()).toBe(`${served.demo.url}/explore`)
  })

  test('is not needed to see the list of shortcuts, and shortcuts can be switched off', async () => {
    await using visit = await served.explorer.visit(`/explore#key=${served.demo.secret}`)
    const { page } = visit
    await page.locator('.venues .list a').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Find a market').waitFor()
    await page.getByLabel(/^Single letters/).uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.venues .list a').first().waitFor()
    // Shortcuts are off: if `/` opened the field, the field would hold the `x`.
    await page.keyboard.type('/x')
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('demo')
    await page.locator('.found:not(.busy) mark').first().waitFor()
    expect(await field.inputValue()).toBe('demo')
  })

  test('of a slow plan gets all data in the end', async () => {
    await using slow = await serveDemo({ day: DAY, plans: { default: 'slow', plans: [PLAN] } })
    await using there = await openExplorer(slow.url)
    await using visit = await there.visit(`/explore#key=${slow.secret}`)
    const { page } = visit
    await page.getByText('by itself in').first().waitFor()
    await page.locator('section[aria-label=Kalshi] .list a').first().waitFor()
    await page.locator('section[aria-label=Polymarket] .list a').first().waitFor()
    await eventually(async () => expect(await page.locator('.failed').count()).toBe(0))
  })

  test('does not help while the server is busy: the page retries, by itself and by a button', async () => {
    await using visit = await served.explorer.visit('/status')
    const { page } = visit
    let refused = 0
    let isBusy = true
    await page.route('**/calendar*', async (route) => {
      if (!isBusy) return route.continue()
      refused++
      const body = JSON.stringify({ code: 'overloaded', detail: 'Too many questions wait', status: 503 })
      await route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body,
      })
    })
    await page.goto(`${served.demo.url}/explore#key=${served.demo.secret}`)
    await page.getByText('Too many questions wait').first().waitFor()
    expect(refused).toBeGreaterThanOrEqual(3)
    isBusy = false
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.locator('.venues .list a').first().waitFor()
  })
})
