// `bun bench/pictures.ts`: makes the README's pictures of the explorer from the demo's day, with Debian's Chromium. The
// pictures are WebP, which keeps them small.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(PROJECT, 'docs/pictures')
const VIEW = 'from=2026-07-20T13:20:00Z&to=2026-07-20T15:20:00Z&at=2026-07-20T14:13:45.120Z'
const SIZE = { width: 1360, height: 860 }
const QUALITY = 76
const BYTES_MAX = 150_000

const data = mkdtempSync(join(tmpdir(), 'backbook-pictures-'))
const demo = Bun.spawn([process.execPath, join(PROJECT, 'src/main.ts'), 'demo', '--port', '0', '--data', data], {
  stdout: 'pipe',
  stderr: 'ignore',
})
try {
  const link = await linkOf(demo.stdout)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  for (const colorScheme of ['dark', 'light'] as const) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme })
    await page.goto(link.replace(/\?[^#]*/, `?${VIEW}`))
    await page.locator('.ladder tr.has-bid').first().waitFor()
    await page.waitForLoadState('networkidle')
    const session = await page.context().newCDPSession(page)
    const { data: text } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length > BYTES_MAX) throw new Error(`the ${colorScheme} picture takes ${bytes.length} bytes`)
    const path = join(FOLDER, `explorer-${colorScheme}.webp`)
    await Bun.write(path, bytes)
    console.log(`${path}: ${bytes.length} bytes`)
  }
  await browser.close()
} finally {
  demo.kill('SIGTERM')
  await demo.exited
  rmSync(data, { recursive: true })
}

/** Returns the link to the demo's market, with the key in it. */
async function linkOf(printed: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of printed.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
    text += chunk
    const link = /http:\S+\/explore\/kalshi\/\S+#key=\S+(?=\s)/.exec(text)?.[0]
    if (link !== undefined) return link
  }
  throw new Error(`the demo ended: ${text}`)
}
