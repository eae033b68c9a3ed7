// long: a browser draws a page of each venue
// The page of a market, for every venue: title, book and raw messages.

import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VENUES } from '../../../storage/venue.ts'
import { hasChromium } from '../../support/explorer/browser.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'
import { temporaryFolder } from '../../support/server.ts'
import { DAY, sentMs } from './samples/sample.ts'
import { SAMPLES } from './samples/samples.ts'

describe.skipIf(!hasChromium)('the page of a market', () => {
  const { path } = temporaryFolder()
  const files = VENUES.map((venue) => {
    const { messages, document } = SAMPLES[venue]
    const received = messages.map(({ text }, index) => `{"recv_ms":${sentMs(index)},"event":${text}}`)
    const file = join(path, `${venue}.ndjson`)
    writeFileSync(file, [...received, JSON.stringify(document)].join('\n'))
    return file
  })
  const served = demoBrowser({ files })

  test.each(VENUES)('%s', async (venue) => {
    const { market, book, bids, asks, messages } = SAMPLES[venue]
    const of = book === market ? '' : `book=${book}&`
    const at = new Date(sentMs(messages.length)).toISOString()
    await using visit = await served.explorer.visit(
      `/explore/${venue}/${market}?${of}at=${at}&messages#key=${served.demo.secret}`,
    )
    const { page, complaints } = visit
    await page.locator('.ladder tbody tr.has-bid').first().waitFor()
    expect(await page.locator('h1').textContent()).toContain('Will the contract hold?')
    expect(await page.locator('.ladder h2').textContent()).toContain(DAY)
    const cents = (price: number) => `${Math.round(price * 100)}`
    const ladder = await page.locator('.ladder tbody').textContent()
    expect([cents(bids[0]![0]), cents(asks[0]![0])].map((price) => ladder?.includes(price))).toEqual([true, true])
    await page.locator('.messages tbody tr').first().waitFor()
    expect(await page.locator('.messages tbody tr').count()).toBe(messages.length)
    expect(complaints).toEqual([])
  })
})
