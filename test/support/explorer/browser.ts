// Opens the explorer in a real browser: Debian's Chromium. Collects the browser's complaints, so that a test can expect
// none.

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { isPresent } from '../../run/missing.ts'

/** The shell draws no window. A visit takes 2.4 s of processor time in the shell and 5.9 s in Chromium. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const browser = BROWSERS.find((path) => existsSync(path))

/** Maximum wait for a page, ms. On a busy machine, one second of work may take a minute. */
export const WAIT_MS = 60_000

export const hasChromium = isPresent(browser !== undefined, `Chromium at ${BROWSERS.join(' or ')}`)

export type Screen = {
  width?: number
  height?: number
  scheme?: 'dark' | 'light'
  reducedMotion?: boolean
  hasTouch?: boolean
  /** Only for tests that add scripts of their own. */
  bypassCsp?: boolean
}

export type Visit = AsyncDisposable & {
  page: Page
  /** Console messages, script errors, policy violations, and requests that failed or went to another server. */
  complaints: string[]
}

export type Explorer = AsyncDisposable & { visit(path: string, screen?: Screen): Promise<Visit> }

/** Opens a browser for the explorer at `url`. The path of a visit may end with `#key=…`. */
export async function openExplorer(url: string): Promise<Explorer> {
  const launched = await chromium.launch({ executablePath: browser!, args: ['--no-sandbox', '--disable-gpu'] })
  return {
    visit: (path, screen = {}) => visit(launched, url, path, screen),
    [Symbol.asyncDispose]: () => launched.close(),
  }
}

async function visit(launched: Browser, url: string, path: string, screen: Screen): Promise<Visit> {
  const {
    width = 1280,
    height = 800,
    scheme = 'dark',
    reducedMotion = false,
    hasTouch = false,
    bypassCsp = false,
  } = screen
  const context = await launched.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    hasTouch,
    bypassCSP: bypassCsp,
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`elsewhere: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    // The page cancels requests for parts that are no longer visible.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
  })
  await page.goto(url + path)
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}
