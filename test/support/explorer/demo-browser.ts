// The demo's day in a browser, for the tests of one file: one server and one Chromium, gone after the last of them.

import { afterAll, beforeAll } from 'bun:test'
import { type ServedDemo, serveDemo } from '../demo.ts'
import { type Explorer, openExplorer } from './browser.ts'

/** Loading the day and starting Chromium, on a busy machine. */
const START_MS = 60_000

export type DemoBrowser = { readonly demo: ServedDemo; readonly explorer: Explorer }

/** To be called in a `describe`. What it returns is there in its tests, and in what it says to do before them. */
export function demoBrowser(settings: Parameters<typeof serveDemo>[0] = {}): DemoBrowser {
  let demo: ServedDemo
  let explorer: Explorer
  beforeAll(async () => {
    demo = await serveDemo(settings)
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
