// The captures of the killed loads. The second capture begins within the first, so it is merged. Another has so many
// markets that its commit takes several transactions.

import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../../storage/open-store.ts'
import { loadCapture } from '../../../../workers/load/load-capture.ts'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { type StoreState, stateOf } from './store-state.ts'

export const DATES = ['2026-07-20', '2026-07-21']
/** A transaction takes at most 1,000 markets. */
const [SMOKE, FULL] = [
  { kalshiRecords: 2_000, polymarketRecords: 500, markets: 100 },
  { kalshiRecords: 40_000, polymarketRecords: 8_000, markets: 1_200 },
]

export type Captures = {
  /** The capture that is stored before all others. */
  first: string
  /** The files that are loaded after the first one, in this order. */
  files: string[]
  /** A data folder that holds only the first capture, to be copied. */
  before: string
  /** The states of an uninterrupted load: before it, and after each of the files. */
  stages: StoreState[]
}

export async function makeCaptures(folder: string, isSmoke: boolean): Promise<Captures> {
  const { markets: marketCount, ...size } = isSmoke ? SMOKE : FULL
  const days = DATES.map((date) => syntheticDay({ date, ...size }))
  const lines = days.flatMap(({ kalshiLines, polymarketLines }) => [...kalshiLines, ...polymarketLines])
  const part = (from: number, to: number) => lines.slice(from * lines.length, to * lines.length)
  const markets = Array.from({ length: marketCount }, (_, n) => tradeLines(n, 1, `KXMANY-${n}`)[0]!)
  const captures = {
    first: [...part(0, 0.6), ...markets.slice(0, marketCount / 4).map((line) => line.replace('trade_id":"', '$&1'))],
    second: part(0.4, 0.8),
    third: markets,
    fourth: [...part(0.1, 0.3), ...part(0.7, 1)],
  }
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (const [name, text] of Object.entries(captures)) {
    files.push(join(folder, `${name}.ndjson`))
    await Bun.write(files.at(-1)!, `${text.join('\n')}\n`)
  }
  const [before, through] = [join(folder, 'before'), join(folder, 'through')]
  const [first, ...later] = files
  await load(before, first!)
  copyData(before, through)
  const stages = [await stateOf(before)]
  for (const file of later) {
    await load(through, file)
    stages.push(await stateOf(through))
  }
  rmSync(through, { recursive: true })
  return { first: first!, files: later, before, stages }
}

async function load(folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const store = openStore(folder)
  const { error, rejected } = await loadCapture(store, folder, file, () => undefined)
  await store.close()
  if (error !== null || rejected > 0) throw new Error(`${file} is no capture: ${error ?? `${rejected} lines`}`)
}

/** Copies a data folder that no process has open. */
export function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

/** Returns the files in a folder, at any depth, that do not belong to a data folder. */
export function leftovers(folder: string): string[] {
  const known = /^(?:store(?:\/(?:data|lock)\.mdb)?|accounts\.sqlite(?:-wal|-shm)?|rejects(?:\/.*)?|replaced-.*)$/
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !known.test(path))
}
