// Reads the file of a store whose index is damaged, without LMDB: blocks are found by their own names, wherever they
// lie, and what the sound pages of the index say of them helps to tell the newest ones.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import * as lmdb from 'lmdb'
import type { SlugAnswers } from '../catalogue.ts'
import { isAlive } from '../data-folder/replacement.ts'
import { DataError } from '../failures.ts'
import type { MarketAudits } from '../finding/audits.ts'
import type { EventCard, Kept, MarketCard, SaidEvent, SaidMarket } from '../finding/metadata.ts'
import { type ArchiveLoad, type ArchiveQuality, hoursIn } from '../finding/provenance.ts'
import { isIntact } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { PartitionKey } from '../partition-key.ts'
import { unseal } from '../sealed/seal.ts'
import { type BlockName, NAME_BYTES_MAX, namedBlock, namedLength } from '../sealed/self-description.ts'
import { openHead } from '../sealed/stored-parts.ts'
import { VENUES, type Venue } from '../venue.ts'
import { readEntries } from './check-index.ts'
import { openAudits } from './finding/kept-audits.ts'
import { openKept } from './finding/kept-metadata.ts'
import { openLoad, openQuality } from './finding/kept-provenance.ts'
import { LOCK_FILE, readStoreMeta } from './store-file.ts'
import type { Key } from './values/databases.ts'
import { openSlug } from './values/stored-values.ts'

const MARK = 'BKBK'
const CHUNK_BYTES = 8 << 20
/** No block is larger: a record has at most a few megabytes. */
const BLOCK_BYTES_MAX = 1 << 30
const LOCK_HEADER_BYTES = 208
const LOCK_READER_BYTES = 64
const { bufferToKeyValue } = lmdb as unknown as { bufferToKeyValue(bytes: Buffer): Key }

export type FoundBlock = BlockName & { offset: number; length: number }

/** Throws DataError('store_unavailable') where a process that lives has the store open. */
export function assertUnused(folder: string, what: string): void {
  const file = join(folder, LOCK_FILE)
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  for (let at = LOCK_HEADER_BYTES + 8; at + 4 <= bytes.length; at += LOCK_READER_BYTES) {
    const pid = bytes.readInt32LE(at)
    if (pid <= 0 || pid === process.pid || !isAlive(pid)) continue
    const message = `Cannot ${what} ${folder} while it is used, by process ${pid}: stop the server and what loads into it`
    throw new DataError('store_unavailable', `${message} first`)
  }
}

/** Blocks that match their checksum, in the order of the file: those that count, and those in free pages. */
export class BlockFile {
  readonly #file: number
  readonly #size: number

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.#size = fstatSync(this.#file).size
  }

  *blocks(onProgress: (bytes: number, of: number) => void): Generator<FoundBlock> {
    for (let at = 0; at < this.#size; ) {
      onProgress(at, this.#size)
      const chunk = this.#read(at, CHUNK_BYTES)
      let next = chunk.length === CHUNK_BYTES ? chunk.length - MARK.length + 1 : chunk.length
      for (let found = chunk.indexOf(MARK); found >= 0; found = chunk.indexOf(MARK, found + 1)) {
        const block = this.#blockAt(at + found)
        if (block === undefined) continue
        yield block
        next = Math.max(next, found + block.length)
        found += block.length - 1
      }
      at += next
    }
  }

  /** Of a block that was found. */
  content({ offset, length, ...name }: FoundBlock): Uint8Array {
    return unsealed(name, namedBlock(this.#read(offset, length))!.content)
  }

  close(): void {
    closeSync(this.#file)
  }

  #blockAt(offset: number): FoundBlock | undefined {
    const length = namedLength(this.#read(offset, NAME_BYTES_MAX))
    if (length === undefined || length > BLOCK_BYTES_MAX || offset + length > this.#size) return undefined
    const block = namedBlock(this.#read(offset, length))
    if (block === undefined || !VENUES.includes(block.name.venue)) return undefined
    return isIntact(unsealed(block.name, block.content)) ? { ...block.name, offset, length } : undefined
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.min(length, this.#size - offset))
    return bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, offset))
  }
}

const unsealed = ({ venue, market, date, id }: BlockName, content: Uint8Array): Uint8Array =>
  unseal('blocks', [venue, market, date, id], content)

export type SalvagedIndex = {
  /** By `nameOfPartition`. */
  heads: Map<string, PartitionHead>
  /** Whether those are all: a partition without a head was removed. */
  areHeadsWhole: boolean
  slugs: SlugAnswers
  areSlugsWhole: boolean
  markets: (Kept<MarketCard> & SaidMarket)[]
  events: (Kept<EventCard> & SaidEvent)[]
  audits: MarketAudits[]
  loads: ArchiveLoad[]
  quality: ArchiveQuality[]
  isMetadataWhole: boolean
}

export const nameOfPartition = ({ venue, market, date }: PartitionKey): string => JSON.stringify([venue, market, date])

/** What the sound pages of the index say. */
export function readIndex(path: string): SalvagedIndex {
  const [heads, slugs] = [new Map<string, PartitionHead>(), { events: [], markets: [] } as SlugAnswers]
  const [markets, events] = [[] as SalvagedIndex['markets'], [] as SalvagedIndex['events']]
  const audits: MarketAudits[] = []
  const [loads, quality] = [[] as ArchiveLoad[], [] as ArchiveQuality[]]
  const sound = readEntries(path, pageBytesOf(path), (database, keyBytes, value) => {
    try {
      const key = bufferToKeyValue(keyBytes) as string[]
      const [first, market, date] = key
      if (database === 'heads') {
        const partition = { venue: VENUES.find((venue) => venue === first)!, market: market!, date: date! }
        heads.set(nameOfPartition(partition), openHead(partition, value))
      } else if (database === 'slugs') {
        slugs[first === 'event' ? 'events' : 'markets'].push(openSlug(key, value))
      } else if (database === 'metadata') {
        const [kind, of, id] = key as [string, Venue, string]
        if (kind === 'audit') audits.push(openAudits(key, value))
        else if (kind === 'load') loads.push(openLoad(key, value))
        else if (kind === 'quality') quality.push(...hoursIn(openQuality(key, value)))
        else if (kind === 'event') events.push({ ...openKept<EventCard>(key, value), venue: of, event: id })
        else markets.push({ ...openKept<MarketCard>(key, value), venue: of, market: id })
      }
      return true
    } catch {
      return false
    }
  })
  const [areHeadsWhole, areSlugsWhole] = [sound.has('heads'), sound.has('slugs')]
  const isMetadataWhole = sound.has('metadata')
  return { heads, areHeadsWhole, slugs, areSlugsWhole, markets, events, audits, loads, quality, isMetadataWhole }
}

function pageBytesOf(path: string): number {
  const usual = 4_096
  try {
    return readStoreMeta(path)?.pageBytes ?? usual
  } catch {
    return usual
  }
}
