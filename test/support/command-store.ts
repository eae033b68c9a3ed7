// The store that tests of reading commands share: two days of a Kalshi market, and one day of a Polymarket market.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../storage/open-store.ts'
import {
  CONDITION,
  DAY,
  kalshiDelta,
  kalshiSnapshot,
  NOON,
  priceChange,
  book as snapshot,
  TICKER,
} from '../model/lines.ts'
import { type FolderFiles, readFolder, writeFolder } from './disk/copied-folder.ts'
import { TestStore } from './store.ts'

export const DAY_AFTER = '2026-08-11'
const DAY_MS = 86_400_000
/** Number of deltas on the first day; more than fit on a page of the raw endpoint. */
export const DELTAS = 120_000
const CAPTURE = 'all.ndjson'
export const ASSETS = ['111', '222'] as const

let files: Promise<FolderFiles> | undefined

/** Returns a new store with the shared days. Each process loads them only once. */
export async function commandStore(): Promise<TestStore> {
  files ??= loadedFiles()
  const copied = await files
  return new TestStore((folder) => {
    writeFolder(folder, copied)
    return openStore(folder)
  })
}

async function loadedFiles(): Promise<FolderFiles> {
  const store = await loaded(new TestStore())
  rmSync(join(store.folder, CAPTURE))
  await store.store.close()
  const files = readFolder(store.folder)
  rmSync(store.folder, { recursive: true })
  return files
}

async function loaded(store: TestStore): Promise<TestStore> {
  const deltas = Array.from({ length: DELTAS }, (_, i) => kalshiDelta(i * 10, `0.${20 + (i % 30)}00`, '1.50'))
  const later = [1, 2, 3].map((i) => kalshiDelta(DAY_MS + i * 1_000, '0.6000', '1.00'))
  const kalshi = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), ...deltas, ...later]
  const polymarket = [
    ...ASSETS.map((asset) => snapshot(0, [['0.40', '10']], [['0.45', '20']], asset)),
    priceChange(500, { asset_id: ASSETS[0], price: '0.41', size: '3', side: 'BUY' }),
  ]
  await store.loadLines(
    CAPTURE,
    [...kalshi, ...polymarket].map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
  return store
}

export { CONDITION, DAY, NOON, TICKER }
