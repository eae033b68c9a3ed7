// Puts a store of today's format in the place of one of format 2. The new one is made in a folder of its own, so an
// upgrade that is ended goes on where it was; the old one is kept beside it.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { assertRoom, writeFailure } from '../../storage/data-folder/disk-space.ts'
import { ownAs } from '../../storage/data-folder/file-owner.ts'
import { syncFolder } from '../../storage/data-folder/replacement.ts'
import { DataError } from '../../storage/failures.ts'
import { type OldStore, openOldStore, renewCursorSecret } from '../../storage/keep-store.ts'
import { openStore } from '../../storage/open-store.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { COMMIT_RECORDS } from './market-writer.ts'
import { compareStores, upgradeStore } from './upgrade-store.ts'

/** `keptAs` is the old store's new place. */
export type Upgraded = { partitions: number; records: number; keptAs: string }
export type UpgradeProgress = (step: 'upgrading' | 'comparing' | 'verifying', done: number, of: number) => void

const STAGED = '.upgrading-'
const SPARE_BYTES = 16 << 20

/** Null where the store has today's format already. Throws DataError; the old store is then as it was. */
export async function upgradeFolder(
  data: string,
  onProgress: UpgradeProgress,
  commitRecords = COMMIT_RECORDS,
): Promise<Upgraded | null> {
  const folder = resolve(data)
  const old = openOldStore(folder)
  if (old === undefined) return null
  try {
    const { staged, path } = stagedFolder(folder, old)
    const records = await makeStore(old, path, { onProgress, commitRecords })
    await renewCursorSecret(path, old.cursorSecret())
    ownAs(folder, path)
    for (const each of [join(path, 'store'), path]) syncFolder(each)
    const aside = `before-upgrade-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    old.replace(staged, aside)
    return { partitions: old.partitionCount, records, keptAs: join(data, aside) }
  } catch (error) {
    throw writeFailure(error, folder)
  } finally {
    await old.close()
  }
}

/** What an earlier upgrade made of another state of the old store is removed. */
function stagedFolder(folder: string, { transaction, bytes }: OldStore): { staged: string; path: string } {
  const name = `${STAGED}${transaction}`
  const earlier = readdirSync(folder).filter((entry) => entry.startsWith(STAGED))
  for (const entry of earlier) if (entry !== name) rmSync(join(folder, entry), { recursive: true })
  if (!earlier.includes(name)) assertRoom(folder, bytes + SPARE_BYTES, 'The upgraded store')
  const staged = join(folder, name)
  const path = join(staged, 'new')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  rmSync(join(staged, 'plan.json'), { force: true })
  return { staged, path }
}

async function makeStore(
  old: OldStore,
  path: string,
  { onProgress, commitRecords }: { onProgress: UpgradeProgress; commitRecords: number },
): Promise<number> {
  const store = openStore(path)
  const counted = (step: 'upgrading' | 'comparing' | 'verifying') => {
    let begun = 0
    return () => onProgress(step, begun++, old.partitionCount)
  }
  try {
    const records = await upgradeStore(old, store, {
      onPartition: counted('upgrading'),
      commitRecords,
      loadedMs: Date.now(),
    })
    await store.flushed()
    await compareStores(old, store, counted('comparing'))
    const { damage, storeDamage } = await verifyStore(store, counted('verifying'))
    const [first] = [
      ...damage.map(({ venue, market, date, what }) => `${venue} ${market} ${date}: ${what}`),
      ...storeDamage,
    ]
    if (first !== undefined) throw new DataError('block_corrupt', `The upgraded store is not sound: ${first}`)
    return records
  } finally {
    await store.close()
  }
}
