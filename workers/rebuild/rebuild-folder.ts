// Makes a store's index again from its blocks, in a new file; the old one is kept beside it.

import { rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { assertRoom, writeFailure } from '../../storage/data-folder/disk-space.ts'
import { ownAs } from '../../storage/data-folder/file-owner.ts'
import {
  beginReplacement,
  commitReplacement,
  finishReplacement,
  syncFolder,
} from '../../storage/data-folder/replacement.ts'
import { DataError } from '../../storage/failures.ts'
import { assertUnused, BlockFile, readIndex, renewCursorSecret, storeFile } from '../../storage/keep-store.ts'
import { openStore } from '../../storage/open-store.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { type RebuildProgress, type Rebuilt, rebuildStore } from './rebuild-store.ts'

const SPARE_BYTES = 16 << 20

export type RebuiltFolder = Rebuilt & { areSlugsWhole: boolean; isMetadataWhole: boolean; keptAs: string }

/** Throws DataError; the old store is then as it was. Cursors that were given out are refused afterwards. */
export async function rebuildFolder(data: string, onProgress: RebuildProgress): Promise<RebuiltFolder> {
  const folder = resolve(data)
  finishReplacement(folder)
  const old = storeFile(folder)
  assertUnused(join(folder, 'store'), 'rebuild')
  assertRoom(folder, statSync(old).size + SPARE_BYTES, 'The new store')
  const { staged, path } = beginReplacement(folder)
  try {
    const index = readIndex(old)
    const rebuilt = await makeStore(old, path, index, onProgress)
    await renewCursorSecret(path)
    ownAs(folder, path)
    for (const each of [join(path, 'store'), path]) syncFolder(each)
    assertUnused(join(folder, 'store'), 'rebuild')
    const aside = `before-rebuild-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    commitReplacement(folder, staged, { aside, without: [] })
    const { areSlugsWhole, isMetadataWhole } = index
    return { ...rebuilt, areSlugsWhole, isMetadataWhole, keptAs: join(data, aside) }
  } catch (error) {
    // Once it is committed it has another name.
    rmSync(staged, { recursive: true, force: true })
    throw writeFailure(error, folder)
  }
}

async function makeStore(
  old: string,
  path: string,
  index: ReturnType<typeof readIndex>,
  onProgress: RebuildProgress,
): Promise<Rebuilt> {
  const file = new BlockFile(old)
  const store = openStore(path)
  try {
    const rebuilt = await rebuildStore(file, index, store, onProgress)
    await store.flushed()
    const { damage, storeDamage } = await verifyStore(store)
    const places = [...damage.map(({ venue, market, date, what }) => `${venue} ${market} ${date}: ${what}`)]
    const [first] = [...places, ...storeDamage]
    if (first !== undefined) throw new DataError('block_corrupt', `The new store is not sound: ${first}`)
    return rebuilt
  } finally {
    file.close()
    await store.close()
  }
}
