// Makes the store that most topics use: many busy days and one busiest day, each with one market that is busy all day.
// There are many days so that a warm process can be measured with requests that were never sent before.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../storage/open-store.ts'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import { loadCapture } from '../../workers/load/load-capture.ts'
import { kalshiBusyTicker } from '../../workers/synthetic/kalshi-day.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'
import { storeKey } from './store-key.ts'
import { CAPTURE_DATE, KALSHI_RECORDS, SMOKE_RECORDS, writeDay } from './synthetic-capture.ts'

export type BusyDay = { market: string; date: string; fromMs: number; recordCount: number }
export type BusyDays = { data: string; usual: BusyDay[]; busiest: BusyDay }

const DAY_MS = 86_400_000
/** Number of days. The last one is the busiest. */
const DAYS = { smoke: 5, full: 19 }

export async function busyDays(size: Size): Promise<BusyDays> {
  const dates = Array.from({ length: DAYS[size] }, (_, i) =>
    utcDate(dateStartMs(CAPTURE_DATE) - (DAYS[size] - 1 - i) * DAY_MS),
  )
  const records = (date: string) => {
    if (size === 'smoke') return SMOKE_RECORDS
    return date === CAPTURE_DATE ? KALSHI_RECORDS.busiest : KALSHI_RECORDS.usual
  }
  const made = sourceKey('workers/synthetic', 'bench/datasets/synthetic-capture.ts', 'bench/datasets/busy-days.ts')
  const data = await cached(`busy-days-${size}`, [dates, made, storeKey()], async (folder) => {
    const store = openStore(folder)
    const capture = join(folder, 'day.ndjson.gz')
    for (const date of dates) {
      await writeDay(capture, { venue: 'kalshi', date, records: records(date) })
      await loadCapture(store, folder, capture, () => {})
    }
    rmSync(capture)
    await store.flushed()
    await store.close()
  })
  const days = await describeDays(data, dates)
  return { data, usual: days.slice(0, -1), busiest: days.at(-1)! }
}

async function describeDays(data: string, dates: readonly string[]): Promise<BusyDay[]> {
  const store = openStore(data)
  const described = dates.map(async (date) => {
    const market = kalshiBusyTicker(date)
    const { recordCount } = (await store.catalogue.head({ venue: 'kalshi', market, date }))!
    return { market, date, fromMs: dateStartMs(date), recordCount }
  })
  const days = await Promise.all(described)
  await store.close()
  return days
}
