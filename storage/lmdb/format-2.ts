// Reads a store of format 2, which version 0.1.0 made: for `upgrade` alone, which puts one of today's format in its
// place. Nothing is written to it.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ABORT } from 'lmdb'
import { Packr } from 'msgpackr'
import type { SlugAnswers } from '../catalogue.ts'
import { readingOf } from '../damage.ts'
import { commitReplacement } from '../data-folder/replacement.ts'
import { DataError } from '../failures.ts'
import { checkedBody } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { PartitionKey } from '../partition-key.ts'
import { openBody, unseal } from '../sealed/seal.ts'
import type { Venue } from '../venue.ts'
import { assertFormat, openRoot, readersOf, STORE_VERSION, storedVersion } from './environment.ts'
import { DATA_FILE } from './store-file.ts'
import type { Key } from './values/databases.ts'
import { openSlug } from './values/stored-values.ts'

const FORMAT = 2
const packr = new Packr({ useRecords: false, variableMapSize: true })

type OldHead = Pick<PartitionHead, 'revision' | 'recordCount' | 'looseSnapshots' | 'edits'> & { blocks: unknown[] }

export type OldPartition = OldHead & {
  key: PartitionKey
  /** Throws DataError('block_corrupt') at the first that is damaged. */
  read(): Uint8Array[]
}

export type OldStore = {
  bytes: number
  /** Of the last change: whatever is made of the store is of this content. */
  transaction: number
  partitionCount: number
  /** In key order. Throws DataError('block_corrupt'). */
  partitions(): Iterable<OldPartition>
  slugs(): SlugAnswers
  cursorSecret(): Uint8Array
  /** Commits a replacement of the data folder in which nobody uses this store, and in which it was not changed. */
  replace(staged: string, aside: string): void
  close(): Promise<void>
}

/** Undefined where the store has today's format. Throws DataError('store_unavailable') where it has another one, or
 *  another process has it open. */
export function openOldStore(folder: string): OldStore | undefined {
  const { result: version, root, path, close } = openRoot(folder, {}, storedVersion)
  const transaction = () => (root.getStats() as { lastTxnId: number }).lastTxnId
  const [first, named] = [transaction(), (name: string) => root.openDB<Uint8Array, Key>({ name, encoding: 'binary' })]
  const assertUnused = () => {
    // One is this process, which has read the store's version.
    const readers = readersOf(root)
    if (readers.length <= 1 && transaction() === first) return
    const other = readers.find(({ pid }) => pid !== process.pid)?.pid
    const by = other === undefined ? '' : `, by process ${other}`
    const message = `Cannot upgrade ${path} while it is used${by}: stop the server and what loads into it first`
    throw new DataError('store_unavailable', message)
  }
  try {
    if (version !== FORMAT) {
      if (version === STORE_VERSION) return void close()
      assertFormat(version, folder)
      throw new DataError('store_unavailable', `The store in ${folder} has no format`)
    }
    assertUnused()
    const [heads, blocks, slugs, meta] = [named('heads'), named('blocks'), named('slugs'), named('meta')]
    return {
      bytes: statSync(join(path, DATA_FILE)).size,
      transaction: first,
      partitionCount: (heads.getStats() as { entryCount: number }).entryCount,
      *partitions() {
        for (const { key, value } of heads.getRange({})) {
          yield partitionOf(key as string[], value, (entry) => blocks.get(entry))
        }
      },
      slugs() {
        const kept: SlugAnswers = { events: [], markets: [] }
        for (const { key, value } of slugs.getRange({})) {
          const [kind] = key as string[]
          kept[kind === 'event' ? 'events' : 'markets'].push(openSlug(key as string[], value))
        }
        return kept
      },
      cursorSecret: () => packr.unpack(openBody('meta', 'cursor_secret', meta.get('cursor_secret')!)) as Uint8Array,
      replace: (staged, aside) =>
        root.transactionSync(() => {
          // Every opening passes the lock that is held here.
          assertUnused()
          commitReplacement(folder, staged, { aside, without: [] })
          return ABORT
        }),
      close,
    }
  } catch (error) {
    void close()
    throw error
  }
}

function partitionOf(entry: string[], bytes: Uint8Array, get: (key: Key) => Uint8Array | undefined): OldPartition {
  const key: PartitionKey = { venue: entry[0] as Venue, market: entry[1]!, date: entry[2]! }
  const head = readingOf(key, 'head', () => openHead(entry, bytes))
  const blockAt = (index: number) =>
    readingOf(key, `block ${index}`, () => {
      const stored = get([...entry, index])
      if (stored === undefined) throw new DataError('block_corrupt', 'it is missing from the store')
      return unseal('blocks', [...entry, index], stored)
    })
  return { ...head, key, read: () => head.blocks.map((_, index) => blockAt(index)) }
}

function openHead(key: string[], bytes: Uint8Array): OldHead {
  const head = packr.unpack(checkedBody(unseal('heads', key, bytes))) as OldHead & { version: number }
  if (head.version === 1) return head
  throw new DataError('block_corrupt', `it has the unknown version ${head.version}`)
}
