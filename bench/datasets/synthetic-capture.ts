// Generates days as captures. About half the records of a day belong to one market that is busy all day.

import { once } from 'node:events'
import { createWriteStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'

export type Venue = 'kalshi' | 'polymarket'
export type DayOptions = { venue: Venue; date: string; records: number }

/** Number of records of all markets of a day. About half belong to the busiest market: 200,000 or 2 million. */
export const KALSHI_RECORDS = { usual: 400_000, busiest: 4_000_000 }
export const SMOKE_RECORDS = 6_000
export const CAPTURE_DATE = '2026-07-20'
const LINES_A_WRITE = 2_000

/** Returns a day of 400,000 records as one gzipped file. */
export function usualCapture(size: Size): Promise<string> {
  const records = size === 'smoke' ? SMOKE_RECORDS : KALSHI_RECORDS.usual
  return syntheticCapture({ venue: 'kalshi', date: CAPTURE_DATE, records })
}

const SET_FILES = 16

/** Returns sixteen days of 200,000 records, one file each. */
export async function captureSet(size: Size): Promise<string[]> {
  const records = size === 'smoke' ? SMOKE_RECORDS / SET_FILES : KALSHI_RECORDS.usual / 2
  const key = [records, sourceKey('workers/synthetic', 'bench/datasets/synthetic-capture.ts')]
  const folder = await cached(`captures-${records}`, key, async (made) => {
    for (let i = 0; i < SET_FILES; i++) {
      const date = utcDate(dateStartMs(CAPTURE_DATE) - (SET_FILES - 1 - i) * DAY_MS)
      await writeDay(join(made, `${date}.ndjson.gz`), { venue: 'kalshi', date, records })
    }
  })
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}

/** Returns the path of the file, which is cached. */
export async function syntheticCapture(day: DayOptions): Promise<string> {
  const key = [day, sourceKey('workers/synthetic', 'bench/datasets/synthetic-capture.ts')]
  const folder = await cached(`capture-${day.venue}-${day.records}`, key, (made) => writeDay(captureIn(made), day))
  return captureIn(folder)
}

const captureIn = (folder: string) => join(folder, 'day.ndjson.gz')

export async function writeDay(path: string, { venue, date, records }: DayOptions): Promise<void> {
  const gzip = createGzip({ level: 1 })
  const file = gzip.pipe(createWriteStream(path))
  let pending: string[] = []
  const write = async () => {
    if (!gzip.write(pending.join(''))) await once(gzip, 'drain')
    pending = []
  }
  const day = syntheticDay({ date, kalshiRecords: records, polymarketRecords: records })
  for (const line of venue === 'kalshi' ? day.kalshiLines : day.polymarketLines) {
    pending.push(`${line}\n`)
    if (pending.length === LINES_A_WRITE) await write()
  }
  await write()
  gzip.end()
  await once(file, 'finish')
}
