// A separate process that loads one capture and prints what the load took: `bun load-child.ts <folder> <capture>`.

import { readFileSync, statSync } from 'node:fs'
import { storeFile } from '../../../../storage/lmdb/environment.ts'
import { openStore } from '../../../../storage/open-store.ts'
import { type FileReport, loadCapture } from '../../../../workers/load/load-capture.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'

/** `peakMb` excludes the pages of the store, which the system can reclaim at any time. */
export type LoadTaken = { report: FileReport; damage: unknown[]; peakMb: number }

if (import.meta.main) {
  const [folder, capture] = process.argv.slice(2)
  const store = openStore(folder!)
  const report = await loadCapture(store, folder!, capture!, () => {})
  const peakBytes = 1_024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1])
  const peakMb = Math.round((peakBytes - statSync(storeFile(folder!)).size) / 2 ** 20)
  const { damage } = await verifyStore(store, () => {})
  await store.close()
  const taken: LoadTaken = { report, damage, peakMb }
  process.stdout.write(JSON.stringify(taken))
}
