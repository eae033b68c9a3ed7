// long: a browser draws every view
// Finds an event of a venue by its category and series, as the metadata groups events.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { demoBrowser } from '../../../support/explorer/demo-browser.ts'

const EVENTS = [
  { event_ticker: 'KXRAIN-26AUG10', title: 'Rain on Monday?', category: 'Climate', series_ticker: 'KXRAIN' },
  { event_ticker: 'KXRAIN-26AUG11', title: 'Rain on Tuesday?', category: 'Climate', series_ticker: 'KXRAIN' },
  { event_ticker: 'KXSNOW-26AUG10', title: 'Snow on Monday?', category: 'Climate' },
  { event_ticker: 'KXODD-1', title: 'Something else' },
]

describe.skipIf(!hasChromium)('a venue', () => {
  const served = demoBrowser({ kind: 'memory', moreLines: [JSON.stringify({ events: EVENTS })] })

  test('leads to its events', async () => {
    await using visit = await served.explorer.visit(`/explore/kalshi#key=${served.demo.secret}`)
    const { page, complaints } = visit
    await page.getByText('Browse by category').click()
    const groups = (within: string) => page.locator(`${within} > summary`).allTextContents()
    await page.getByText('Climate 3 events').click()
    expect((await groups('.browse > details')).filter((each) => /Climate|without/.test(each))).toEqual([
      'Climate 3 events',
      expect.stringMatching(/^without a category \d+ events?$/),
    ])
    expect(await groups('.browse details[open] > details')).toEqual(['KXRAIN 2 events', 'KXSNOW 1 event'])
    await page.getByText('KXRAIN 2 events').click()
    await page.getByRole('link', { name: 'Rain on Tuesday?' }).waitFor()
    expect(await page.locator('.browse li a').allTextContents()).toEqual(['Rain on Monday?', 'Rain on Tuesday?'])
    await page.getByText('without a category').click()
    await page.getByText('KXODD 1 event').click()
    await page.getByRole('link', { name: 'Something else' }).click()
    await page.waitForURL(/\/explore\/event\/kalshi\/KXODD-1/)
    expect(complaints).toEqual([])
  }, 60_000)
})
