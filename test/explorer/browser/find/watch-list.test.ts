// long: a browser draws every view
// Checks the watch list: stars on markets and events, stored on the device, and saved as a record.toml that the
// recorder reads.

import { describe, expect, test } from 'bun:test'
import { readRecordConfig } from '../../../../src/record/venues/read-record-config.ts'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'
import { temporaryFolder } from '../../../support/server.ts'

const EVENT = DAY.gammaEvent as { slug: string; markets: { conditionId: string; slug: string }[] }
const OTHER = EVENT.markets.find(({ conditionId }) => conditionId !== DAY.conditionId)!
const slugOf = (market: string) => EVENT.markets.find(({ conditionId }) => conditionId === market)!.slug

describe.skipIf(!hasChromium)('the watch list', () => {
  const served = demoBrowser()

  test('has starred markets and events, after a reload and in other tabs, and is saved as a selection', async () => {
    const address = `/explore/kalshi/${DAY.kalshiTicker.toLowerCase()}`
    await using visit = await served.explorer.visit(`${address}#key=${served.demo.secret}`)
    const { page, complaints } = visit
    const star = page.locator('main').getByRole('button', { name: 'Watch', exact: true })
    await star.click()
    expect(await star.getAttribute('aria-pressed')).toBe('true')
    const tab = await page.context().newPage()
    await tab.goto(`${served.demo.url}/explore/polymarket/${DAY.conditionId}#key=${served.demo.secret}`)
    const otherStar = tab.locator('main').getByRole('button', { name: 'Watch', exact: true })
    await otherStar.click()
    await tab.locator('.facts a').first().click()
    await tab.locator('main.event').waitFor()
    await otherStar.click()
    // A market without a slug is recorded by its tokens.
    await page.route(`**/market/info?condition_id=${OTHER.conditionId}`, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), slug: null } })
    })
    await page.goto(`${served.demo.url}/explore/polymarket/${OTHER.conditionId}`)
    await star.click()
    await page.goto(`${served.demo.url}/explore`)
    const cards = page.getByRole('region', { name: 'Watched' })
    await eventually(async () => expect(await cards.locator('li').count()).toBe(4))

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as record.toml' }).click()
    using folder = temporaryFolder()
    const path = `${folder.path}/record.toml`
    await (await download).saveAs(path)
    const { kalshi, polymarket } = readRecordConfig(path, {})
    expect(kalshi!.tickers).toEqual([DAY.kalshiTicker])
    expect(polymarket!.selection).toMatchObject({ events: [EVENT.slug], slugs: [slugOf(DAY.conditionId)] })
    expect(polymarket!.assetIds).toHaveLength(2)
    await cards.getByText('Saved', { exact: true }).waitFor()

    const before = cards.locator('li', { hasText: 'event' })
    await before.getByRole('button').click()
    await eventually(async () => expect(await cards.locator('li').count()).toBe(3))
    await tab.goto(`${served.demo.url}/explore`)
    await eventually(async () =>
      expect(await tab.getByRole('region', { name: 'Watched' }).locator('li').count()).toBe(3),
    )
    await tab
      .getByRole('region', { name: 'Watched' })
      .getByRole('button', { name: /^Watch / })
      .first()
      .click()
    await eventually(async () => expect(await cards.locator('li').count()).toBe(2))
    expect(complaints).toEqual([])
  })
})
