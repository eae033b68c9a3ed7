// Makes one market with 2 million records a day over thirty days: the busiest generated day, repeated at other dates.
// Takes some minutes, once for each version of the code that stores data.

import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { openStore } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { loadCaptures } from '../../workers/load/load-captures.ts'
import type { Size } from '../topic.ts'
import { BUSY_MARKET, busyMarketCapture } from './busy-market.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'
import { storeKey } from './store-key.ts'
import { CAPTURE_DATE, KALSHI_RECORDS, SMOKE_RECORDS } from './synthetic-capture.ts'

export type ManyDays = { data: string; market: string; fromMs: number; toMs: number; dayCount: number }

const DAYS = { smoke: 3, full: 30 }
/** Number of days that are written first and then loaded together, so that every processor has a day to load. */
const DAYS_AT_ONCE = 4
const LINES_A_PIECE = 2_000

export async function manyDays(size: Size): Promise<ManyDays> {
  const dayCount = DAYS[size]
  const capture = await busyMarketCapture(size === 'smoke' ? SMOKE_RECORDS : KALSHI_RECORDS.busiest)
  const key = [dayCount, capture, sourceKey('bench/datasets/many-days.ts'), storeKey()]
  const data = await cached(`many-days-${size}`, key, async (folder) => {
    const store = openStore(folder)
    for (let first = 0; first < dayCount; first += DAYS_AT_ONCE) {
      const days = Array.from({ length: Math.min(DAYS_AT_ONCE, dayCount - first) }, (_, i) => dayCount - 1 - first - i)
      const paths = await Promise.all(days.map((daysBack) => writeShifted(capture, daysBack, folder)))
      await loadCaptures(store, folder, paths, { processors: availableParallelism() })
      for (const path of paths) rmSync(path)
    }
    await store.flushed()
    await store.close()
  })
  const toMs = dateStartMs(CAPTURE_DATE) + DAY_MS - 1
  return { data, market: BUSY_MARKET, fromMs: toMs + 1 - dayCount * DAY_MS, toMs, dayCount }
}

async function writeShifted(capture: string, daysBack: number, folder: string): Promise<string> {
  const path = join(folder, `${daysBack}.ndjson.zst`)
  const lines = createInterface({ input: createReadStream(capture) })
  await pipeline(Readable.from(shifted(lines, daysBack)), createZstdCompress(), createWriteStream(path))
  return path
}

async function* shifted(lines: AsyncIterable<string>, daysBack: number): AsyncGenerator<string> {
  const date = utcDate(dateStartMs(CAPTURE_DATE) - daysBack * DAY_MS)
  let piece: string[] = []
  for await (const line of lines) {
    piece.push(shiftedLine(line, date, daysBack * DAY_MS))
    if (piece.length === LINES_A_PIECE) {
      yield `${piece.join('\n')}\n`
      piece = []
    }
  }
  yield piece.map((line) => `${line}\n`).join('')
}

/** Shifts the times of a line, which are seconds, milliseconds, or text that begins with the date. */
function shiftedLine(line: string, date: string, backMs: number): string {
  return line
    .replace(/(?<=:)1[78]\d{8}(?:\d{3})?(?=[,}])/g, (time) =>
      String(Number(time) - (time.length === 13 ? backMs : backMs / 1_000)),
    )
    .replace(`"ts":"${CAPTURE_DATE}T`, `"ts":"${date}T`)
}
