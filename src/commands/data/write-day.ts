// Writes a synthetic day as captures, as a recorder would have written them.

import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { SyntheticDay } from '../../../workers/synthetic/synthetic-day.ts'

const LINES_A_WRITE = 2_000
/** File mode: only the owner may read and write. */
const OWN = { mode: 0o600 }

/** Writes a capture per venue, and the event's metadata. Returns their paths. */
export async function writeDay(folder: string, day: SyntheticDay): Promise<string[]> {
  const path = pathIn(folder)
  await writeLines(path(`kalshi-${day.date}.ndjson.gz`), day.kalshiLines)
  await writeLines(path(`polymarket-${day.date}.ndjson.gz`), day.polymarketLines)
  writeFileSync(path('event.json'), JSON.stringify(day.gammaEvent), OWN)
  return [path(`kalshi-${day.date}.ndjson.gz`), path(`polymarket-${day.date}.ndjson.gz`), path('event.json')]
}

/** Writes Kalshi's metadata of a day's busy market, so that the market is known before its first record is stored. */
export function writeMarket(folder: string, { date, kalshiTicker }: SyntheticDay): string {
  const path = pathIn(folder)(`market-${date}.json`)
  const event = kalshiTicker.slice(0, kalshiTicker.lastIndexOf('-'))
  const market = { ticker: kalshiTicker, event_ticker: event, title: `Above 50 on ${date}?`, status: 'active' }
  writeFileSync(path, JSON.stringify({ market }), OWN)
  return path
}

function pathIn(folder: string): (name: string) => string {
  mkdirSync(join(folder, 'captures'), { recursive: true, mode: 0o700 })
  return (name) => join(folder, 'captures', name)
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: 1 })
  const file = gzip.pipe(createWriteStream(path, OWN))
  let pending: string[] = []
  const write = async () => {
    if (!gzip.write(pending.join(''))) await once(gzip, 'drain')
    pending = []
  }
  for (const line of lines) {
    pending.push(`${line}\n`)
    if (pending.length === LINES_A_WRITE) await write()
  }
  await write()
  gzip.end()
  await once(file, 'finish')
}
