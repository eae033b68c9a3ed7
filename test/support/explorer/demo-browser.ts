// Serves a day and opens a browser, for the tests of one file: one server and one Chromium, which end after the last
// test.

import { afterAll, beforeAll } from 'bun:test'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { type ServedDemo, serveDemo } from '../demo.ts'
import { type Explorer, openExplorer } from './browser.ts'

/** Maximum time to load the day and to start Chromium on a busy machine, ms. */
const START_MS = 60_000

/** The demo's day with fewer records, so that it loads in a second. */
export const DAY = syntheticDay({ date: '2026-07-20', kalshiRecords: 20_000, polymarketRecords: 8_000 })

export type DemoBrowser = { readonly demo: ServedDemo; readonly explorer: Explorer }

/** Must be called in a `describe`. The fields of the result are available in its tests, and in the hooks that run
 *  before them. */
export function demoBrowser(settings: Parameters<typeof serveDemo>[0] = {}): DemoBrowser {
  let demo: ServedDemo
  let explorer: Explorer
  beforeAll(async () => {
    demo = await serveDemo({ day: DAY, ...settings })
    explorer = await openExplorer(demo.url)
  }, START_MS)
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]()
    await demo[Symbol.asyncDispose]()
  })
  return {
    get demo() {
      return demo
    },
    get explorer() {
      return explorer
    },
  }
}
