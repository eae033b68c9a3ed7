// Loads captures into a cached store.

import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { openStore } from '../../storage/open-store.ts'
import { loadWith, type Reader } from '../../workers/load/load-capture.ts'
import { loadCaptures as loadWhole } from '../../workers/load/load-captures.ts'
import { cached } from './cache.ts'
import { storeKey } from './store-key.ts'

/** Returns the data folder. */
export function captureStore(name: string, files: readonly string[]): Promise<string> {
  const contents = files.map((file) => [file, statSync(file).size, statSync(file).mtimeMs])
  return cached(`store-${name}`, [contents, storeKey()], (folder) => loadCaptures(folder, files).then(() => {}))
}

/** Loads captures into a store, and creates the store if it is missing. Reads the captures with `readers` if that is
 *  set, otherwise in the same way as `ingest`. Returns the number of records in the captures. */
export async function loadCaptures(
  folder: string,
  files: readonly string[],
  readers?: readonly Reader[],
): Promise<number> {
  const store = openStore(folder)
  const reports =
    readers === undefined
      ? await loadWhole(store, folder, files, { processors: availableParallelism() })
      : await loadWith(readers, store, folder, files)
  await store.flushed()
  await store.close()
  return reports.reduce((sum, { records }) => sum + records, 0)
}
