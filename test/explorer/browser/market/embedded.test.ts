// long: a browser draws every view
// Shows the chart of a market in a frame of another page, if that page's origin is allowed. The page around the frame
// cannot learn the key.

import { afterAll, describe, expect, test } from 'bun:test'
import type { Frame, Page } from 'playwright-core'
import { hasChromium } from '../../../support/explorer/browser.ts'
import { DAY, demoBrowser } from '../../../support/explorer/demo-browser.ts'
import { eventually } from '../../../support/explorer/eventually.ts'

const NOON = `${DAY.date}T12:00:00.000Z`
const CHART = `/explore/kalshi/${DAY.kalshiTicker}?at=${NOON}`

describe.skipIf(!hasChromium)('the chart of a market in a frame', () => {
  // The same page under two host names, which are two origins.
  const outer = Bun.serve({
    port: 0,
    fetch: (request) => {
      const src = new URL(request.url).searchParams.get('src')!.replaceAll('"', '%22')
      const frame = `<iframe src="${src}" width="800" height="480"></iframe>`
      const script = '<script>received = []; addEventListener("message", ({ data }) => received.push(data))</script>'
      return new Response(`<!doctype html>${script}${frame}`, { headers: { 'content-type': 'text/html' } })
    },
  })
  afterAll(() => outer.stop(true))
  const [allowed, other] = [`http://localhost:${outer.port}`, `http://127.0.0.1:${outer.port}`]
  const served = demoBrowser({ frameAncestors: new Set([allowed]) })

  async function framed(page: Page, origin: string, path: string): Promise<Frame> {
    const src = `${served.demo.url}${path}#key=${served.demo.secret}`
    await page.goto(`${origin}/?src=${encodeURIComponent(src)}`)
    return page.frames()[1]!
  }

  test('is drawn with its axes and its text, without the rest of the page', async () => {
    await using visit = await served.explorer.visit('/explore')
    const { page } = visit
    const seen: string[] = []
    page.on('request', (request) => seen.push(request.url(), ...Object.values(request.headers())))
    const frame = await framed(page, allowed, `${CHART}&embed`)
    await frame.locator('.chart-panes[aria-busy=false]').waitFor()
    expect(await frame.locator('.pane').count()).toBe(4)
    expect(await frame.locator('nav, .ladder, .player, .toolbar, .minimap, .market-days').count()).toBe(0)
    await frame.locator('.pane .surface').first().hover()
    await frame.locator('.read-out .bid').waitFor()
    expect(await frame.evaluate<boolean>('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
    // The key is no longer in the frame's address, is in no link, and is sent to the API only.
    await eventually(async () => expect(frame.url()).not.toContain('#'))
    const link = frame.getByRole('link', { name: 'Open in backbook' })
    expect(await link.getAttribute('href')).toBe(CHART)
    expect(await page.evaluate<unknown>('[document.querySelector("iframe").contentDocument, received]')).toEqual([
      null,
      [],
    ])
    const [whole] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    expect(await whole.evaluate<unknown>('[opener, document.referrer, location.href]')).toEqual([
      ...[null, ''],
      served.demo.url + CHART,
    ])
    const withKey = seen.filter((each) => each.includes(served.demo.secret) && !each.startsWith('Bearer '))
    expect(withKey.filter((each) => !each.startsWith(allowed))).toEqual([])
  })

  test.each([
    ['by another origin', other, `${CHART}&embed`],
    ['as the whole page', allowed, CHART],
    ['with another page', allowed, '/explore/keys?embed'],
  ])('is not drawn %s', async (_, origin, path) => {
    await using visit = await served.explorer.visit('/explore')
    const { page, complaints } = visit
    const frame = await framed(page, origin, path)
    await eventually(async () => expect(complaints.join()).toContain('frame-ancestors'))
    expect(await frame.locator('#page').count()).toBe(0)
  })
})
