// The node's cache of pieces: one LMDB file that all of its threads and processes share, warm after a restart. Pieces
// are named by id and checksum, so a cached piece is never outdated. The reader checks each piece, and reads a damaged
// one again from its segment. The size is bounded: pieces go into the younger of two generations. When that generation
// has filled its half of the room, the older one is emptied and becomes the younger.
//
// New pieces are written after the caller has continued: no answer and no commit waits for the file.
//
// The cache never makes an answer fail: a piece that cannot be cached is skipped. But LMDB trusts the pages of its
// file, so a damaged page can end the process. Each node therefore has a mark beside the file until it closes the
// cache. If a starting node finds the mark of an ended node, it replaces the file, so damage ends a node only once.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { type Database, open, type RootDatabase } from 'lmdb'
import { isAlive } from '../../data-folder/durable-file.ts'
import { DATA_FILE, prepareStoreFiles } from '../../lmdb/store-file.ts'
import { NodeCounters } from '../node-counters.ts'
import { NO_CACHE, type PieceCache } from '../piece-reader.ts'

type Key = string
type Pieces = Database<Uint8Array, Key>

/** Options that lmdb's declarations leave out. */
const OWNER_ALONE = { permissionsMode: 0o600 }
const PAGE_BYTES = 4_096
const READERS_MAX = 1_024
const MAP_UNIT = 2 ** 20
/** A cache smaller than this costs more than it saves. */
const BYTES_MIN = 8 << 20
/** Maximum number of pieces from the older generation that wait to be written to the younger one, with new pieces. */
const PROMOTED_MAX = 256
/** Maximum number of waiting bytes. At most an eighth of a generation may wait, so that all waiting pieces fit into one
 *  generation. */
const WAITING_BYTES_MAX = 16 << 20
const WAITING_SHARE = 1 / 8
/** The databases of the file: two generations, and the state that says which is the younger. */
const GENERATIONS = ['pieces-0', 'pieces-1'] as const
const STATE = 'state'
const GENERATION = 'generation'
const BYTES = 'bytes'

/** Opens the cache. Returns NO_CACHE, which stores nothing, if `bytesMax` is too small or the file cannot be opened.
 *  `isNode` says whether the process runs long and is restarted when it ends: only then does the cache need a
 *  mark. */
export function openPieceCache(
  folder: string,
  bytesMax: number,
  counters = new NodeCounters(),
  isNode = false,
): PieceCache {
  if (bytesMax < BYTES_MIN) return NO_CACHE
  for (const isAnew of [false, true]) {
    try {
      const path = prepareFile(folder, isAnew || (isNode && hasMarkOfEnded(folder)))
      const mark = isNode ? `${path}.${process.pid}` : null
      if (mark !== null) writeFileSync(mark, '')
      return new LmdbPieceCache(path, mark, bytesMax, counters)
    } catch {
      counters.count('failures')
    }
  }
  return NO_CACHE
}

/** Returns the path of the file for this boot of the machine, and removes the files of other boots. If `isAnew`, also
 *  removes this boot's file. The cache is not flushed, so its file may contain anything after the machine crashes. */
function prepareFile(folder: string, isAnew: boolean): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = `pieces-${bootName()}`
  for (const file of readdirSync(folder)) {
    if (file.startsWith('pieces-') && (isAnew || !file.startsWith(name)))
      rmSync(join(folder, file), { recursive: true, force: true })
  }
  const path = join(folder, name)
  if (isMainThread && existsSync(join(path, DATA_FILE))) prepareStoreFiles(path)
  return path
}

/** Returns whether a node of this boot has ended without closing the cache. A mark with the id of this process counts
 *  too: in a container, each node may have the process id of the node before it. */
function hasMarkOfEnded(folder: string): boolean {
  if (!existsSync(folder)) return false
  const front = `pieces-${bootName()}.`
  const marks = readdirSync(folder).filter((file) => file.startsWith(front))
  const pids = marks.map((mark) => Number(mark.slice(front.length)))
  return pids.some((pid) => pid === process.pid || !isAlive(pid))
}

const BOOT_FILE = '/proc/sys/kernel/random/boot_id'
const bootName = (): string => (existsSync(BOOT_FILE) ? readFileSync(BOOT_FILE, 'utf8').trim() : 'unknown')

class LmdbPieceCache implements PieceCache {
  readonly #counters: NodeCounters
  readonly #mark: string | null
  readonly #root: RootDatabase<Uint8Array, Key>
  readonly #generations: [Pieces, Pieces]
  readonly #state: Database<number, Key>
  readonly #halfBytes: number
  readonly #promoted = new Map<string, Uint8Array>()
  readonly #waiting = new Map<string, Uint8Array>()
  #waitingBytes = 0
  #writeTimer: NodeJS.Immediate | undefined

  /** `mark` is the path of the node's mark, which `close` removes. */
  constructor(path: string, mark: string | null, bytesMax: number, counters: NodeCounters) {
    this.#counters = counters
    this.#mark = mark
    this.#halfBytes = bytesMax / 2
    this.#root = open<Uint8Array, Key>({
      path,
      encoding: 'binary',
      maxDbs: 4,
      maxReaders: READERS_MAX,
      mapSize: Math.ceil((bytesMax * 1.5) / MAP_UNIT) * MAP_UNIT,
      noSync: true,
      ...OWNER_ALONE,
    })
    this.#generations = [this.#named(GENERATIONS[0]), this.#named(GENERATIONS[1])]
    this.#state = this.#root.openDB<number, Key>({ name: STATE, encoding: 'ordered-binary' })
  }

  get(name: string): Uint8Array | undefined {
    const waiting = this.#waiting.get(name)
    if (waiting !== undefined) {
      this.#counters.count('hits')
      return waiting
    }
    try {
      const young = this.#young()
      const found = this.#generations[young]!.get(name)
      if (found !== undefined) {
        this.#counters.count('hits')
        return found
      }
      const older = this.#generations[1 - young]!.get(name)
      if (older === undefined) this.#counters.count('misses')
      else {
        this.#counters.count('hits')
        if (this.#promoted.size < PROMOTED_MAX) this.#promoted.set(name, older)
      }
      return older
    } catch {
      this.#counters.count('failures')
      return undefined
    }
  }

  put(pieces: { name: string; bytes: Uint8Array }[]): void {
    for (const { name, bytes } of pieces) {
      if (this.#waiting.has(name) || roomOf(bytes) > this.#halfBytes) continue
      this.#waiting.set(name, bytes)
      this.#waitingBytes += bytes.length
    }
    if (this.#waitingBytes > Math.min(WAITING_BYTES_MAX, this.#halfBytes * WAITING_SHARE)) this.#writeWaiting()
    else if (this.#waitingBytes > 0) this.#writeTimer ??= setImmediate(() => this.#writeWaiting())
  }

  async close(): Promise<void> {
    this.#writeWaiting()
    await this.#root.close()
    if (this.#mark === null) return
    try {
      rmSync(this.#mark, { force: true })
    } catch {
      this.#counters.count('failures')
    }
  }

  #writeWaiting(): void {
    clearImmediate(this.#writeTimer)
    this.#writeTimer = undefined
    if (this.#waiting.size === 0) return
    const all = [...this.#waiting, ...this.#promoted]
    this.#waiting.clear()
    this.#waitingBytes = 0
    this.#promoted.clear()
    try {
      this.#root.transactionSync(() => this.#write(all))
      this.#root.resetReadTxn()
    } catch {
      this.#counters.count('failures')
    }
  }

  #write(pieces: [name: string, bytes: Uint8Array][]): void {
    let young = this.#young()
    let bytes = this.#state.get(BYTES) ?? 0
    for (const [name, piece] of pieces) {
      const size = roomOf(piece)
      if (bytes + size > this.#halfBytes) {
        young = 1 - young
        bytes = 0
        this.#generations[young]!.clearSync()
        this.#state.putSync(GENERATION, young)
      }
      this.#generations[young]!.putSync(name, piece)
      bytes += size
    }
    this.#state.putSync(BYTES, bytes)
  }

  #young(): number {
    return this.#state.get(GENERATION) ?? 0
  }

  #named(name: string): Pieces {
    return this.#root.openDB<Uint8Array, Key>({ name, encoding: 'binary' })
  }
}

/** Returns the room that a value takes: a large one takes whole pages. */
const roomOf = ({ length }: Uint8Array): number =>
  length > PAGE_BYTES / 2 ? Math.ceil((length + 16) / PAGE_BYTES) * PAGE_BYTES : length + 128
