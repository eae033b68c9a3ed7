// long: it also runs the slow model
// Compares the model with the exact answers that come with the real captures.

import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { partWhileWaiting } from '../run/effort.ts'
import { isPresent } from '../run/missing.ts'
import { type Bucket, loadCaptures, type ModelStore, type ModelSummaryRequest } from './model.ts'

/** A request about loaded files, and its expected answer without values of trust. */
type Expected = { load: string[]; request: string; data: Omit<Bucket, 'trust'>[] }

const NOW_MS = Date.UTC(2026, 10, 1)
const captures = fileURLToPath(new URL('../../../shared/captures', import.meta.url))
const expectedFolder = `${captures}/expected`
const here = isPresent(existsSync(expectedFolder), 'the real captures in ../shared/captures')

describe.skipIf(!here)('the model answers exactly', () => {
  for (const name of partWhileWaiting(here ? readdirSync(expectedFolder).sort() : [], 2)) {
    test(name, () => {
      const { load, request, data }: Expected = JSON.parse(readFileSync(`${expectedFolder}/${name}`, 'utf8'))
      const store = loaded(load)
      const answer = store.summary(parseRequest(request)).map(({ trust: _, ...bucket }) => bucket)
      expect(store.rejects).toEqual([])
      expect(answer.length).toBe(data.length)
      expect(answer).toEqual(data)
      expect(JSON.stringify(answer)).toBe(JSON.stringify(data))
    })
  }
})

/** Caches the store of each list of files: a summary does not change what is loaded. */
const stores = new Map<string, ModelStore>()
function loaded(files: string[]): ModelStore {
  const name = files.join()
  const known = stores.get(name)
  if (known !== undefined) return known
  const store = loadCaptures(
    files.map((file) => `${captures}/${file}`),
    NOW_MS,
  )
  stores.set(name, store)
  return store
}
afterAll(() => stores.clear())

/** Parses a path such as `/api/v1/kalshi/market/orderbook-summary?ticker=…&date=…`. */
function parseRequest(path: string): ModelSummaryRequest {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const venue = pathname.includes('/kalshi/') ? 'kalshi' : 'polymarket'
  const numberOf = (name: string) => (searchParams.has(name) ? Number(searchParams.get(name)) : undefined)
  return {
    venue,
    market: searchParams.get(venue === 'kalshi' ? 'ticker' : 'condition_id')!,
    assetId: searchParams.get('asset_id') ?? undefined,
    date: searchParams.get('date') ?? undefined,
    startTimestamp: numberOf('start_timestamp'),
    endTimestamp: numberOf('end_timestamp'),
    resolution: numberOf('resolution') ?? 60,
    fill: (searchParams.get('fill') ?? 'observed') as ModelSummaryRequest['fill'],
    nowMs: NOW_MS,
  }
}
