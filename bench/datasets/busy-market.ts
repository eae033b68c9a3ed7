// Makes a capture with only the lines of the market that is busy all day.

import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { kalshiBusyTicker } from '../../workers/synthetic/kalshi-day.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'
import { CAPTURE_DATE, syntheticCapture } from './synthetic-capture.ts'

export const BUSY_MARKET = kalshiBusyTicker(CAPTURE_DATE)

/** Returns the path of a plain-text capture. `records` counts the records of all markets of the day; about half of them
 *  belong to the busy market. */
export async function busyMarketCapture(records: number): Promise<string> {
  const capture = await syntheticCapture({ venue: 'kalshi', date: CAPTURE_DATE, records })
  const key = [capture, sourceKey('bench/datasets/busy-market.ts')]
  const folder = await cached(`busy-market-${records}`, key, async (made) => {
    const lines = createInterface({ input: createReadStream(capture).pipe(createGunzip()) })
    await pipeline(ownLines(lines), createWriteStream(textIn(made)))
  })
  return textIn(folder)
}

export const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

async function* ownLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const name = `"market_ticker":"${BUSY_MARKET}"`
  for await (const line of lines) if (line.includes(name)) yield `${line}\n`
}

const textIn = (folder: string) => join(folder, 'market.ndjson')
