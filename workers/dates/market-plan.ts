// A change of one market while it is planned: what is stored, and over it what the plan has changed so far.

import {
  NO_BOOKS,
  NotFetched,
  type PartId,
  type PartitionBooks,
  type PartRef,
  type StoredPart,
  statePart,
} from '../../storage/block-store.ts'
import type { MarketChange, MarketRevision } from '../../storage/catalogue.ts'
import { PartGone, readingOf } from '../../storage/damage.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { loadBlock } from '../block/block-builder.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { allParts, partsToAdd } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'
import { addEdit } from '../partition/partition-change.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from '../partition/partition-types.ts'
import { planPartition, replanPartition } from '../partition/plan-partition.ts'

export class MarketPlan {
  readonly #store: Store
  readonly #venue: Venue
  readonly #market: string
  readonly #planned: MarketRevision
  readonly #changes = new Map<string, PartitionChange>()

  static async begin(store: Store, venue: Venue, market: string): Promise<MarketPlan> {
    return new MarketPlan(store, venue, market, await store.catalogue.revision(venue, market))
  }

  private constructor(store: Store, venue: Venue, market: string, planned: MarketRevision) {
    this.#store = store
    this.#venue = venue
    this.#market = market
    this.#planned = planned
  }

  /** Without partitions where nothing changes. */
  change(): MarketChange {
    const partitions = [...this.#changes.values()].map(({ put, ...change }) => ({ ...change, put: put.map(loaded) }))
    return { venue: this.#venue, market: this.#market, revision: this.#planned.revision, partitions }
  }

  /** The days after it whose opening books follow from it change with it. */
  async add(collected: CollectedPartition): Promise<void> {
    const { key, planned } = collected
    const head = await this.#head(key)
    if (head === undefined && planned !== null && this.#planned.base === 0) {
      if (isSameBytes(planned.closingBefore, await this.#closingBefore(key, undefined))) {
        return this.#put(key, planned.change)
      }
    }
    const plan = async (parts: (head: PartitionHead) => PartId[]) => {
      const before = head && (await this.#day(key, head, parts(head)))
      const closingBefore = await this.#closingBefore(key, before?.books)
      const change = readingOf(key, 'its blocks', () =>
        planPartition(before, collected, () => closingBefore, this.#planned.base),
      )
      return change && this.#withCarried(change, before?.books)
    }
    const change = await plan((stored) => partsToAdd(stored, collected)).catch((error) => {
      if (!(error instanceof NotFetched)) throw error
      return plan(allParts)
    })
    if (change !== undefined) await this.#put(key, change)
  }

  /** The day becomes what a copy of it says. The days after it are for `follow`. */
  place(change: PartitionChange): void {
    this.#note(change)
  }

  /** From now on the day has these records alone, the first `firstChanged` of them as before, and is written anew; none
   *  where it goes. The days after it are for `follow`. */
  async replace(key: PartitionKey, collected: CollectedPartition | undefined, firstChanged: number): Promise<void> {
    const before = (await this.#head(key))!
    if (collected === undefined) return this.#note(removalOf(key, before))
    const books = await this.#books(key)
    const closingBefore = await this.#closingBefore(key, books)
    const made = readingOf(key, 'its blocks', () =>
      planPartition(undefined, collected, () => closingBefore, before.nextId - 1),
    )!
    const revision = before.revision + 1
    const head = { ...made.head!, revision, edits: addEdit(before, revision, firstChanged) }
    this.#note(await this.#withCarried({ ...made, before, head, removed: allParts(before) }, books))
  }

  async remove(key: PartitionKey): Promise<void> {
    const head = await this.#head(key)
    if (head === undefined) return
    await this.#put(key, removalOf(key, head))
  }

  async #put(key: PartitionKey, change: PartitionChange): Promise<void> {
    this.#note(change)
    await this.follow(key)
  }

  /** Changes the days after one whose opening books follow from it, those before `until` at most. */
  async follow(key: PartitionKey, until?: string): Promise<void> {
    for (let day = await this.#neighbour(key, 'after'); day !== undefined && day !== until; ) {
      const dayKey = { ...key, date: day }
      const head = (await this.#head(dayKey))!
      const before = await this.#day(dayKey, head, allParts(head))
      const closingBefore = await this.#closingBefore(dayKey, before.books)
      const next = readingOf(dayKey, 'its blocks', () => replanPartition(dayKey, before, () => closingBefore))
      if (isUnchanged(before, next)) return
      this.#note(await this.#withCarried(next, before.books))
      if (isSameBytes(next.books!.closing, before.books.closing)) return
      day = await this.#neighbour(dayKey, 'after')
    }
  }

  /** A partition that changes twice changes once in the end. */
  #note(change: PartitionChange): void {
    const { date } = change.key
    const earlier = this.#changes.get(date)
    if (earlier === undefined) return void this.#changes.set(date, change)
    const removed = new Set(change.removed.map(nameOf))
    const put = new Set(earlier.put.map(nameOf))
    this.#changes.set(date, {
      ...change,
      before: earlier.before,
      books: change.books ?? earlier.books,
      put: [...earlier.put.filter((part) => !removed.has(nameOf(part))), ...change.put],
      removed: [...earlier.removed, ...change.removed.filter((part) => !put.has(nameOf(part)))],
    })
  }

  async #head(key: PartitionKey): Promise<PartitionHead | undefined> {
    const change = this.#changes.get(key.date)
    if (change !== undefined) return change.head ?? undefined
    return this.#planned.revision === 0 ? undefined : this.#store.catalogue.head(key)
  }

  /** A day as it will be, of which these parts can be read. */
  async #day(key: PartitionKey, head: PartitionHead, needed: PartId[]): Promise<StoredPartition> {
    const change = this.#changes.get(key.date)
    const put = new Map(change?.put.map((part) => [nameOf(part), part]))
    const isStored = change === undefined || change.before !== null
    const stored = needed.filter((part) => !put.has(nameOf(part)))
    const parts = isStored ? await this.#store.blocks.fetch(refsOf(key, stored)) : undefined
    const bytes = (part: PartId) => {
      const planned = put.get(nameOf(part))
      if (planned !== undefined) return loadBlock(planned)
      if (parts === undefined) throw new PartGone(key, nameOf(part))
      return parts.bytes(key, part)
    }
    return { head, books: change?.books ?? parts?.books(key) ?? NO_BOOKS, bytes }
  }

  /** `own` are the day's books, where it is there. */
  async #closingBefore(key: PartitionKey, own: PartitionBooks | undefined): Promise<Uint8Array | null> {
    const date = await this.#neighbour(key, 'before')
    const carried = carriedInto(own, date)
    if (carried !== undefined) return carried.closing
    if (date === undefined) return null
    const change = this.#changes.get(date)
    if (change?.books) return change.books.closing
    const before = { ...key, date }
    const parts = await this.#store.blocks.fetch([{ key: before, kind: 'books' }])
    return parts.books(before).closing
  }

  async #books(key: PartitionKey): Promise<PartitionBooks | undefined> {
    const head = await this.#head(key)
    return head && (await this.#day(key, head, [])).books
  }

  /** With the books that the day brought, while it starts from those. */
  async #withCarried(change: PartitionChange, own: PartitionBooks | undefined): Promise<PartitionChange> {
    if (own?.carried === undefined || change.books === null) return change
    const carried = carriedInto(own, await this.#neighbour(change.key, 'before'))
    return carried === undefined ? change : { ...change, books: { ...change.books, carried } }
  }

  /** The nearest date of the market as it will be. */
  async #neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<string | undefined> {
    const dates: string[] = []
    for (const [date, { head }] of this.#changes) {
      if (head !== null && (direction === 'before' ? date < key.date : date > key.date)) dates.push(date)
    }
    let from = key
    while (this.#planned.revision > 0) {
      const stored = await this.#store.catalogue.neighbour(from, direction)
      if (stored === undefined) break
      if (this.#changes.get(stored.date)?.head !== null) {
        dates.push(stored.date)
        break
      }
      from = { ...key, date: stored.date }
    }
    dates.sort()
    return direction === 'before' ? dates.at(-1) : dates[0]
  }
}

const removalOf = (key: PartitionKey, before: PartitionHead): PartitionChange => {
  return { key, before, head: null, books: null, put: [], removed: [] }
}

/** Whether a replay from other books gave what is stored. A book that the day begins with a snapshot of is none of its
 *  opening books; still it stands in the states before that snapshot, and is compared with the snapshot. */
function isUnchanged({ head, books, bytes }: StoredPartition, next: PartitionChange): boolean {
  if (!isSameBytes(next.books!.opening, books.opening) || !isSameBytes(next.books!.closing, books.closing)) return false
  if (!Bun.deepEquals(next.head!.books, head.books)) return false
  if (!Bun.deepEquals(next.head!.inferredGaps, head.inferredGaps)) return false
  const put = new Map(next.put.map((part) => [nameOf(part), part.content]))
  return head.blocks.every(({ stateId }, index) => {
    const content = put.get(nameOf(statePart(next.head!.blocks[index]!.stateId)))
    return index === 0 || (content instanceof Uint8Array && isSameBytes(content, bytes(statePart(stateId))))
  })
}

/** All parts that a partition has. */
export const partsOfPartition = (key: PartitionKey, head: PartitionHead): PartRef[] => refsOf(key, allParts(head))

const refsOf = (key: PartitionKey, parts: PartId[]): PartRef[] => [
  { key, kind: 'books' },
  ...parts.map((part): PartRef => ({ key, ...part })),
]

const loaded = ({ content, ...part }: PlannedPart): StoredPart => ({ ...part, bytes: loadBlock({ content }) })

const nameOf = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`
