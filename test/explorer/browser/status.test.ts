// Checks the status page: everybody sees whether the service works, but only holders of the monitoring token see
// numbers.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'
import { eventually } from '../../support/explorer/eventually.ts'

const TOKEN = 'monitoring-token'

describe.skipIf(!hasChromium)('the status page', () => {
  const served = demoBrowser({ monitoringToken: TOKEN })

  const marketCount = async () => {
    const lists = ['kalshi', 'polymarket'].map(async (venue) => (await served.demo.get(`/${venue}/market/list`)).json())
    return ((await Promise.all(lists)) as { markets: string[] }[]).flatMap(({ markets }) => markets).length
  }

  test('needs no key, and hides the numbers', async () => {
    await using visit = await served.explorer.visit('/status')
    const { page, complaints } = visit
    await page.getByText('Everything works').waitFor()
    for (const name of ['kalshi', 'polymarket']) {
      const venue = page.getByRole('region', { name })
      for (const text of ['No recorder runs here', `Stored since ${DAY.date}`]) await venue.getByText(text).waitFor()
    }
    const health = (await (await served.demo.get('/health')).json()) as { version: string }
    await page.getByText(`version ${health.version}`).waitFor()
    const stored = page.getByRole('region', { name: 'Parts' }).locator('tr').first()
    const waitForStored = (hasText: RegExp) => stored.filter({ hasText }).waitFor()
    await waitForStored(/^Stored data● works$/)

    await page.getByLabel(/^Monitoring token/).fill('not-the-token')
    await page.keyboard.press('Enter')
    await page.getByText('That is not this server’s monitoring token.').waitFor()
    await page.getByLabel(/^Monitoring token/).fill(TOKEN)
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByText('You see the numbers because of a monitoring token.').waitFor()
    await waitForStored(new RegExp(`markets ${await marketCount()}\\D`))
    await page.getByRole('button', { name: 'Forget it' }).click()
    await page.getByLabel(/^Monitoring token/).waitFor()
    await waitForStored(/^Stored data● works$/)
    expect(complaints).toEqual([])
  })

  test('says that the server does not answer, and retries', async () => {
    await using visit = await served.explorer.visit('/status')
    const { page } = visit
    await page.getByText('Everything works').waitFor()
    await page.route('**/monitoring/*', (route) => route.abort('connectionrefused'))
    await page.reload()
    await page.getByText('The server does not answer.').waitFor()
    await page.unroute('**/monitoring/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Everything works').waitFor()
    await eventually(async () => expect(await page.locator('.failed').count()).toBe(0))
  })
})
