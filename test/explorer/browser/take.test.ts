// long: a browser draws every view
// Downloads what the browser shows. Downloads use a ticket and match the API, and the page shows their size first.
// Code, link and picture match the view.

import { describe, expect, test } from 'bun:test'
import type { Download, Page } from 'playwright-core'
import { hasChromium } from '../../support/explorer/browser.ts'
import { isDrawn } from '../../support/explorer/chart-pixels.ts'
import { DAY, demoBrowser } from '../../support/explorer/demo-browser.ts'

const NOON = Date.parse(`${DAY.date}T12:00:00Z`)
const instant = (ms: number) => new Date(ms).toISOString()

describe.skipIf(!hasChromium)('downloads', () => {
  const served = demoBrowser()

  const visitHour = () =>
    served.explorer.visit(
      `/explore/kalshi/${DAY.kalshiTicker}?from=${instant(NOON)}&to=${instant(NOON + 3_600_000)}&at=${instant(NOON)}` +
        `#key=${served.demo.secret}`,
    )

  test('equal the response of the API, with the size that was shown before', async () => {
    await using visit = await visitHour()
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Trades/ }).check()
    const bounds = `start_timestamp=${NOON}&end_timestamp=${NOON + 3_599_999}`
    const query = `ticker=${DAY.kalshiTicker}&${bounds}&limit=100000&format=csv`
    const expected = await (await served.demo.get(`/kalshi/market/trades?${query}`)).text()
    const rows = expected.split('\n').length - 2
    // No name of a choice overlaps the description of the choice.
    const wide = '[...document.querySelectorAll(".take-what b")].filter((each) => each.scrollWidth > each.clientWidth)'
    expect(await page.evaluate<number>(`${wide}.length`)).toBe(0)
    await dialog.getByText(`${rows} rows, ${(expected.length / 1_000).toFixed(1)} KB`).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    expect(download.url()).toMatch(/[?&]ticket=[\w-]+$/)
    expect(download.url()).not.toContain(served.demo.secret)
    expect(download.suggestedFilename()).toBe(`backbook_kalshi_${DAY.kalshiTicker}_2026-07-20T120000Z_trades.csv`)
    expect(await Bun.file(await download.path()).text()).toBe(expected)
    expect(complaints).toEqual([])
  })

  test('code requests the view, without the key', async () => {
    await using visit = await visitHour()
    const { page, complaints } = visit
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    const code = dialog.locator('pre')
    for (const [name, part] of [
      ['curl', '$BACKBOOK_KEY'],
      ['Python', "os.environ['BACKBOOK_KEY']"],
      ['TypeScript', 'process.env.BACKBOOK_KEY'],
    ] as const) {
      await dialog.getByRole('button', { name, exact: true }).click()
      await code.filter({ hasText: part }).waitFor()
      const text = await code.textContent()
      expect(text).toContain(DAY.kalshiTicker)
      expect(text).toContain(String(NOON))
      expect(text).not.toContain(served.demo.secret)
    }
    await dialog.getByText('Files of the whole day').click()
    await dialog.getByRole('cell', { name: /^records\.ndjson\.zst/ }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a depth map that would be too large says where it ends, and why', async () => {
    await using visit = await visitHour()
    const { page } = visit
    await isDrawn(page)
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Depth map/ }).check()
    const why = dialog.getByText('A depth map has at most 4,000,000 cells')
    await dialog.locator('pre', { hasText: 'depth-map' }).waitFor()
    expect(await why.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Whole day' }).click()
    await why.waitFor()
    const [, end] = /ends at (.{23}) UTC/.exec((await why.textContent())!)!
    expect(await dialog.locator('pre').textContent()).toContain(`end_timestamp=${Date.parse(`${end}Z`) - 1}&`)
  })

  test('a picture shows the chart under its title', async () => {
    await using visit = await visitHour()
    const { page, complaints } = visit
    await page.locator('.ladder tbody tr').first().waitFor()
    await isDrawn(page)
    const { download, written } = await pictured(page)
    expect(written).toMatch(/bid [\d.]+¢ ask [\d.]+¢ at 12:00:00\.000/)
    expect(written).toMatch(
      /largest size in 5 s × [\d.]+¢, [\d,]+ to [\d,]+ contracts\ntrades: ▲ bought, ▼ sold, ● both, ○ side not known\n/,
    )
    // The axes show the last prices and the cursor's time.
    for (const label of [/^ask [\d.]+¢$/m, /^bid [\d.]+¢$/m, /^12:00:00$/m]) expect(written).toMatch(label)
    expect(download.suggestedFilename()).toBe(`backbook_kalshi_${DAY.kalshiTicker}_2026-07-20T120000.png`)
    const bytes = await Bun.file(await download.path()).bytes()
    expect([...bytes.subarray(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)))
    const size = new DataView(bytes.buffer, bytes.byteOffset)
    const panes = await page.locator('.chart .pane').evaluateAll(sizesOf)
    // The picture has twice the pixels of this screen in each direction.
    expect(size.getUint32(16)).toBe(2 * panes[0]!.width + 2 * 28)
    expect(size.getUint32(20)).toBeGreaterThan(2 * panes.reduce((sum, { height }) => sum + height, 0))
    expect(complaints).toEqual([])
  })

  test('a picture of two books explains what it shows, even if the address asks for candles', async () => {
    const books = `a=kalshi:${DAY.kalshiTicker}&b=polymarket:${DAY.conditionId}:${DAY.assetIds[0]}`
    await using visit = await served.explorer.visit(`/explore/compare?${books}&chart=candles#key=${served.demo.secret}`)
    await isDrawn(visit.page)
    const { written } = await pictured(visit.page)
    expect(written).toContain('\nbids blue, asks orange, lines the best of each\ntrades: ▲ bought')
    expect(written).not.toContain('candles of')
  })
})

/** Takes a picture, and records each text that is drawn meanwhile. */
async function pictured(page: Page): Promise<{ download: Download; written: string }> {
  await page.evaluate(`
    globalThis.written = []
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const { fillText } = prototype
      prototype.fillText = function (...all) {
        written.push(all[0])
        return fillText.apply(this, all)
      }
    }`)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('i')])
  return { download, written: (await page.evaluate<string[]>('written')).join('\n') }
}

type Sized = { clientWidth: number; clientHeight: number }

/** Runs in the page. Returns the size of each pane, px. */
const sizesOf = (panes: unknown[]) =>
  (panes as Sized[]).map(({ clientWidth, clientHeight }) => ({ width: clientWidth, height: clientHeight }))
