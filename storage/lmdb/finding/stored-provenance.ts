// Stores provenance.
//
//   metadata: 'load', source, name → the load

import type { ArchiveLoad } from '../../finding/provenance.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { openPacked, putPacked } from './packed-values.ts'

export function putLoad(databases: Databases, name: string, load: ArchiveLoad): void {
  putPacked(databases, 'metadata', ['load', load.source, name], load)
}

/** Decodes a stored entry. */
export const openLoad = (key: Key, value: Uint8Array): ArchiveLoad => openPacked<ArchiveLoad>('metadata', key, value)

/** Reads all loads. Throws DataError('block_corrupt'). */
export function assertProvenance({ metadata }: Databases): void {
  for (const { key, value } of metadata.getRange({ start: ['load', ''], end: ['load', KEY_END] })) openLoad(key, value)
}
