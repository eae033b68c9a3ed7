// A small synthetic day on a real server, and the environment for tests of clients in other languages.

import { join } from 'node:path'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { type DemoSettings, type ServedDemo, serveDemo } from '../../support/demo.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const DAY = syntheticDay({ date: '2026-07-20', kalshiRecords: 4_000, polymarketRecords: 3_000 })

/** The ids of the day; they equal the ids of `backbook demo`. */
export const SMALL_DEMO = {
  date: DAY.date,
  kalshiTicker: DAY.kalshiTicker,
  conditionId: DAY.conditionId,
  assetIds: DAY.assetIds,
  slug: DAY.slug,
}

export type SmallDemo = ServedDemo & {
  /** Environment of a child process: the address, the key, the ids, and the arguments of a command that loads a
   *  capture. */
  env: Record<string, string>
}

export async function serveSmallDemo(settings: Pick<DemoSettings, 'corsOrigins'> = {}): Promise<SmallDemo> {
  const demo = await serveDemo({ ...settings, day: DAY })
  const env = {
    PATH: process.env['PATH'] ?? '',
    BACKBOOK_URL: demo.url,
    BACKBOOK_KEY: demo.secret,
    CLIENT_TEST_DEMO: JSON.stringify(SMALL_DEMO),
    CLIENT_TEST_INGEST: JSON.stringify([process.execPath, MAIN, 'ingest', '--data', demo.folder]),
  }
  return { ...demo, env }
}
