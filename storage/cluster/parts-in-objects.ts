// Stores the parts of partitions as pieces of objects. A commit writes all new pieces as one object, then the row of
// each partition, which says where its pieces are. A piece that no row names does not count, so a process that stops
// before it writes the rows has changed nothing. A fetched part is either intact or known to be damaged.

import {
  NO_BOOKS,
  NotFetched,
  nameOfPart,
  type PartId,
  type PartitionBooks,
  type PartRef,
  type Parts,
} from '../block-store.ts'
import type { MarketChange, PartitionChange } from '../catalogue.ts'
import { damageIn, PartGone } from '../damage.ts'
import type { PartitionKey } from '../partition-key.ts'
import { NOWHERE, type Placed, type PlacedDay, type PlacementPlan, type Placing } from '../rows/catalogue/placing.ts'
import { dayKey, uncompactedKey } from '../rows/keys.ts'
import { unpackDay } from '../rows/market-rows.ts'
import type { Rows } from '../rows/rows.ts'
import { sealText } from '../rows/sealed-rows.ts'
import type { Write } from '../rows/shared-rows.ts'
import { openedBooks, packedBooks, sealPart } from '../sealed/stored-parts.ts'
import type { Objects } from './objects/objects.ts'
import { cacheName, type PieceCache, type PieceReader, type ReadPiece, type WantedPiece } from './piece-reader.ts'
import {
  BOOKS,
  changedPieces,
  checksumOfPiece,
  nameOfPiece,
  openPlacement,
  type PieceChange,
  type PieceId,
  type PlacedPiece,
  type Placement,
  sealPiece,
  sealPlacement,
} from './segment/pieces.ts'
import { NONCE_BYTES, type Segment, SegmentWriter } from './segment/segment.ts'
import { SegmentCounts, segmentKey, totalsKey } from './segment/segment-rows.ts'

export type ObjectParts = {
  rows: Rows
  objects: Objects
  cache: PieceCache
  reader: PieceReader
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
  /** The shard of this process. */
  shard: string
}

export class PartsInObjects implements Placing {
  readonly #parts: ObjectParts
  /** Decoded placements, by the bytes of the rows that contain them. */
  readonly #opened = new WeakMap<Uint8Array, OpenPlacement>()

  constructor(parts: ObjectParts) {
    this.#parts = parts
  }

  place(changes: readonly MarketChange[]): Placed {
    return new PlacedObject(changes, this.#parts)
  }

  async fetch(refs: PartRef[]): Promise<Parts> {
    const fetched = new Map<string, ReadPiece | null>()
    await this.#read(refs, fetched, false)
    // Reads damaged parts again: their pieces may have moved since the rows were read, and the old segment may have
    // been removed.
    const damaged = refs.filter((ref) => isDamaged(fetched.get(nameOf(ref.key, ref))))
    if (damaged.length > 0) await this.#read(damaged, fetched, true)
    return new FetchedParts(fetched)
  }

  async #read(refs: readonly PartRef[], fetched: Map<string, ReadPiece | null>, isFresh: boolean): Promise<void> {
    const placements = await this.#placements(
      refs.map(({ key }) => key),
      isFresh,
    )
    const wanted: (WantedPiece & { name: string })[] = []
    for (const { key, ...part } of refs) {
      const name = nameOf(key, part)
      fetched.set(name, null)
      const placement = placements.get(nameOfDay(key))
      const piece = placement?.pieces.get(nameOfPiece(idOf(part)))
      if (piece !== undefined) wanted.push({ name, key, piece, segment: placement!.segments[piece.segment]! })
    }
    for (const [index, piece] of (await this.#parts.reader.read(wanted)).entries()) {
      fetched.set(wanted[index]!.name, piece)
    }
  }

  async #placements(keys: readonly PartitionKey[], isFresh = false): Promise<Map<string, OpenPlacement>> {
    const days = new Map(keys.map((key) => [nameOfDay(key), key]))
    const stored = await this.#parts.rows.get([...days.values()].map(dayKey), isFresh)
    return new Map(
      [...days].flatMap(([name, key], index) => {
        const bytes = stored[index]
        return bytes === undefined ? [] : [[name, this.#open(key, bytes)] as const]
      }),
    )
  }

  #open(key: PartitionKey, bytes: Uint8Array): OpenPlacement {
    const known = this.#opened.get(bytes)
    if (known !== undefined) return known
    const { segments, pieces } = openPlacement(key, unpackDay(key, bytes).placement)
    const opened = { segments, pieces: new Map(pieces.map((piece) => [nameOfPiece(piece), piece])) }
    this.#opened.set(bytes, opened)
    return opened
  }
}

type OpenPlacement = { segments: string[]; pieces: Map<string, PlacedPiece> }

/** The new pieces of a commit, in one object. */
class PlacedObject implements Placed {
  readonly #changes: readonly MarketChange[]
  readonly #parts: ObjectParts
  readonly #pieces: ReadonlyMap<PartitionChange, PieceChange['put']>
  readonly #cached: { name: string; bytes: Uint8Array }[] = []
  readonly #segment: Segment | null = null
  readonly #written: Promise<void> = Promise.resolve()

  constructor(changes: readonly MarketChange[], parts: ObjectParts) {
    this.#changes = changes
    this.#parts = parts
    const { objects, nowMs, randomBytes } = parts
    const writer = new SegmentWriter(randomBytes(NONCE_BYTES))
    const start = writer.length
    const partitions = changes.flatMap((change) => change.partitions)
    this.#pieces = new Map(partitions.map((change) => [change, placePieces(change, writer, this.#cached)]))
    if (writer.length === start) return
    const segment = writer.finish(nowMs())
    this.#segment = segment
    this.#written = objects.put(segment.key, segment.bytes)
    // The failure is ignored here, because the commit rejects with it when it waits for the write.
    this.#written.catch(() => undefined)
  }

  /** Reads the present placements of the partitions while the object is being written. */
  async plan(): Promise<PlacementPlan> {
    const partitions = this.#changes.flatMap((change) => change.partitions)
    const { rows, shard, nowMs } = this.#parts
    const stored = await rows.get(partitions.map(({ key }) => dayKey(key)))
    const before = new Map<PartitionChange, Placement>()
    for (const [index, bytes] of stored.entries()) {
      const partition = partitions[index]!
      const { key } = partition
      if (bytes !== undefined) before.set(partition, openPlacement(key, unpackDay(key, bytes).placement))
    }
    const named = new Set([...before.values()].flatMap(({ segments }) => segments))
    const keys = [totalsKey(shard), ...[...named].map(segmentKey)]
    const values = await rows.get(keys)
    const segments = new Map(keys.map((key, index) => [key, values[index]]))
    const counts = new SegmentCounts(shard)
    return {
      day: async (change) => this.#day(change, before.get(change) ?? null, counts),
      finish: (write: Write) => {
        const added = { key: this.#segment?.key ?? null, bytes: this.#segment?.bytes.length ?? 0, nowMs: nowMs() }
        counts.finish(write, segments, added)
      },
    }
  }

  stored(): Promise<void> {
    return this.#written
  }

  committed(): void {
    this.#parts.cache.put(this.#cached)
  }

  #day(change: PartitionChange, before: Placement | null, counts: SegmentCounts): PlacedDay {
    const { key, head, removed } = change
    const waiting = uncompactedKey(key)
    if (head === null) {
      counts.change(before?.segments ?? [], [])
      return { placement: NOWHERE, put: [], remove: [waiting] }
    }
    const put = this.#pieces.get(change)!
    const after = changedPieces(before, { put, removed }, this.#segment?.key ?? null)
    counts.change(before?.segments ?? [], after.segments)
    const isWaiting = before !== null && !before.isCompacted
    return {
      placement: sealPlacement(key, { ...after, isCompacted: false }),
      put: isWaiting ? [] : [{ key: waiting, value: sealText(waiting, '') }],
      remove: [],
    }
  }
}

function placePieces(
  { key, before, head, books, put }: PartitionChange,
  writer: SegmentWriter,
  cached: { name: string; bytes: Uint8Array }[],
): PieceChange['put'] {
  const placed: PieceChange['put'] = []
  const add = (id: PieceId, sealed: Uint8Array, bytes: Uint8Array) => {
    const piece = { ...id, ...writer.add(sealed), checksum: checksumOfPiece(bytes) }
    placed.push(piece)
    cached.push({ name: cacheName(key, piece), bytes })
  }
  if (head === null) return placed
  for (const { bytes, ...part } of put) add(part, sealPart(key, part, bytes), bytes)
  const newBooks = books ?? (before === null ? NO_BOOKS : null)
  if (newBooks !== null) {
    const packed = packedBooks(newBooks)
    add(BOOKS, sealPiece(key, BOOKS, packed), packed)
  }
  return placed
}

class FetchedParts implements Parts {
  readonly #fetched: ReadonlyMap<string, ReadPiece | null>

  constructor(fetched: ReadonlyMap<string, ReadPiece | null>) {
    this.#fetched = fetched
  }

  bytes(key: PartitionKey, part: PartId): Uint8Array {
    return this.#piece(key, part, nameOfPart(part))
  }

  books(key: PartitionKey): PartitionBooks {
    return openedBooks(key, this.#piece(key, BOOKS, 'books'))
  }

  #piece(key: PartitionKey, part: PieceId, what: string): Uint8Array {
    const piece = this.#fetched.get(nameOf(key, part))
    if (piece === undefined) throw new NotFetched(`${what} of the ${key.venue} market ${key.market} on ${key.date}`)
    if (piece === null) throw new PartGone(key, what)
    if ('damage' in piece) throw damageIn(key, what, piece.damage)
    return piece.bytes
  }
}

const isDamaged = (piece: ReadPiece | null | undefined): boolean => piece != null && 'damage' in piece
const idOf = (part: PartId | { kind: 'books' }): PieceId => (part.kind === 'books' ? BOOKS : part)
const nameOfDay = ({ venue, market, date }: PartitionKey): string => `${venue} ${market} ${date}`
const nameOf = (key: PartitionKey, part: PartId | { kind: 'books' }): string =>
  `${nameOfDay(key)} ${nameOfPiece(idOf(part))}`
