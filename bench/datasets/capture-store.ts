// Captures loaded into a store, which is kept.

import { statSync } from 'node:fs'
import { openStore } from '../../storage/open-store.ts'
import { loadCapture } from '../../workers/ingest/load-capture.ts'
import { cached } from './cache.ts'
import { storeKey } from './store-key.ts'

/** The data folder. */
export function captureStore(name: string, files: readonly string[]): Promise<string> {
  const contents = files.map((file) => [file, statSync(file).size, statSync(file).mtimeMs])
  return cached(`store-${name}`, [contents, storeKey()], (folder) => loadCaptures(folder, files).then(() => {}))
}

/** Loads into a store that may be new; returns how many records the captures hold. */
export async function loadCaptures(folder: string, files: readonly string[]): Promise<number> {
  const store = openStore(folder)
  let records = 0
  for (const file of files) records += (await loadCapture(store, folder, file, () => {})).records
  await store.flushed()
  await store.close()
  return records
}
