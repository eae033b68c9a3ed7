// Plans a change of one market: reads stored days, overlaid with what the plan has changed so far.

import {
  type LayerBooks,
  NO_BOOKS,
  NotFetched,
  nameOfPart,
  type PartId,
  type StoredPart,
} from '../../storage/block-store.ts'
import type { MarketChange, MarketRevision } from '../../storage/catalogue.ts'
import { PartGone, readingOf } from '../../storage/damage.ts'
import type { SourceOrder } from '../../storage/finding/provenance.ts'
import { type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import type { PartitionHead, Span } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { loadBlock } from '../block/block-builder.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { booksOfSource, isInOrderOf, isOfOne, type Layer, layersOf, withLayer } from '../layers/layer.ts'
import { bytesOf, layeredDate } from '../layers/layered-date.ts'
import { shownSpans } from '../layers/shown-spans.ts'
import { inOrder } from '../layers/spans.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { allParts, partsToAdd, refsOf } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from '../partition/partition-types.ts'
import { planPartition, replanPartition } from '../partition/plan-partition.ts'
import { NearestDays } from './nearest-days.ts'
import { isUnchanged } from './unchanged-day.ts'

export class MarketPlan {
  readonly #store: Store
  readonly #venue: Venue
  readonly #market: string
  readonly #planned: MarketRevision
  readonly #changes = new Map<string, PartitionChange>()
  readonly #days: NearestDays
  #sourceOrder: Promise<SourceOrder> | undefined

  static async begin(store: Store, venue: Venue, market: string): Promise<MarketPlan> {
    return new MarketPlan(store, venue, market, await store.catalogue.revision(venue, market))
  }

  /** The change is refused if the market has another revision than `planned`. */
  constructor(store: Store, venue: Venue, market: string, planned: MarketRevision) {
    this.#store = store
    this.#venue = venue
    this.#market = market
    this.#planned = planned
    this.#days = new NearestDays(planned.revision === 0 ? undefined : store.catalogue, this.#changes)
  }

  /** Returns the planned change; it has no partitions if nothing changes. */
  async change(): Promise<MarketChange> {
    await this.#showNearestDays()
    const partitions = [...this.#changes.values()].map(({ put, ...change }) => ({ ...change, put: put.map(loaded) }))
    return { venue: this.#venue, market: this.#market, revision: this.#planned.revision, partitions }
  }

  /** Adds a collected partition, and changes the later days whose opening books follow from it. */
  async add(collected: CollectedPartition): Promise<void> {
    const { key, planned, source = null } = collected
    const head = await this.#head(key)
    if (head === undefined && planned !== null && this.#planned.base === 0) {
      if (isSameBytes(planned.closingBefore, await this.#closingBefore(key, source, undefined))) {
        return this.#put(planned.change, source)
      }
    }
    const change = await this.#plan(key, head, collected, (stored) => partsToAdd(stored, collected)).catch((error) => {
      if (!(error instanceof NotFetched)) throw error
      return this.#plan(key, head, collected, allParts)
    })
    if (change !== undefined) await this.#put(change, source)
  }

  async #plan(
    key: PartitionKey,
    head: PartitionHead | undefined,
    collected: CollectedPartition,
    needed: (head: PartitionHead) => PartId[],
  ): Promise<PartitionChange | undefined> {
    const { source = null } = collected
    const isAlone = head === undefined || isOfOne(head, source)
    const day = head && (await this.#day(key, head, isAlone ? needed(head) : allParts(head)))
    const layers = day === undefined ? [] : layersOf(day.head, day.books)
    const layer = layers.find((each) => each.source === source)
    const closingBefore = await this.#closingBefore(key, source, layer?.books)
    const base = head === undefined ? this.#planned.base : head.nextId - 1
    const change = readingOf(key, 'its blocks', () =>
      planPartition(layer && { ...day!, ...layer }, collected, () => closingBefore, base),
    )
    const changed = change && (await this.#withCarried(change, source, layer?.books))
    if (isAlone || changed === undefined) return changed
    return this.#layered(key, day!, layers, new Map([[source, changed]]))
  }

  /** Replaces the day with a copy. The caller calls `follow` for the days after it. */
  place(change: PartitionChange): void {
    this.#note(change)
  }

  /** Removes a source's layer of the day. The caller calls `follow` for the days after it. Returns the bytes of new
   *  parts. */
  async removeSource(key: PartitionKey, source: Source): Promise<number> {
    const head = (await this.#head(key))!
    if (isOfOne(head, source)) {
      this.#note(removalOf(key, head))
      return 0
    }
    const day = await this.#day(key, head, allParts(head))
    const layers = layersOf(day.head, day.books)
    const change = await this.#layered(key, day, layers, new Map([[source, removalOf(key, head)]]))
    this.#note(change)
    return change.put.reduce((sum, { content }) => sum + content.length, 0)
  }

  async remove(key: PartitionKey): Promise<void> {
    const head = await this.#head(key)
    if (head === undefined) return
    this.#note(removalOf(key, head))
    await this.follow(key)
  }

  async #put(change: PartitionChange, source: Source): Promise<void> {
    this.#note(change)
    await this.follow(change.key, { sources: [source] })
  }

  /** Changes the days after the day `key`, up to `until` exclusive, if their opening books follow from that day.
   *  `sources` are the sources that changed. */
  async follow(
    key: PartitionKey,
    { sources = this.#sourcesOfChange(key), until }: { sources?: readonly Source[]; until?: string | undefined } = {},
  ): Promise<void> {
    const pending = new Set(sources)
    for (
      let day = await this.#days.beside(key, 'after');
      pending.size > 0 && day !== undefined && day.date !== until;
    ) {
      const dayKey = { ...key, date: day.date }
      const changed = sourcesOf(day.head).filter((source) => pending.has(source))
      const before = changed.length === 0 ? undefined : await this.#day(dayKey, day.head, allParts(day.head))
      const layers = before === undefined ? [] : layersOf(before.head, before.books)
      const changes = new Map<Source, PartitionChange>()
      let base = day.head.nextId - 1
      for (const layer of layers.filter(({ source }) => pending.has(source))) {
        const { source, books } = layer
        const stored = { ...before!, ...layer }
        const closingBefore = await this.#closingBefore(dayKey, source, books)
        const next = readingOf(dayKey, 'its blocks', () => replanPartition(dayKey, stored, () => closingBefore, base))
        if (isUnchanged(stored, next)) pending.delete(source)
        else {
          changes.set(source, await this.#withCarried(next, source, books))
          base = next.head!.nextId - 1
          if (isSameBytes(next.books!.closing, books.closing)) pending.delete(source)
        }
      }
      if (changes.size > 0) this.#note(await this.#layered(dayKey, before!, layers, changes))
      day = await this.#days.beside(dayKey, 'after')
    }
  }

  /** Updates what the changed days and their neighbouring days show, because this depends on books that continue over
   *  midnight. */
  async #showNearestDays(): Promise<void> {
    for (const { key } of [...this.#changes.values()]) {
      await this.showAgain(key)
      for (const direction of ['before', 'after'] as const) {
        const day = await this.#days.beside(key, direction)
        if (day !== undefined) await this.showAgain({ ...key, date: day.date })
      }
    }
  }

  /** Updates a day if its spans no longer match the neighbouring days, or if its layers no longer match the order of
   *  sources. Returns whether the day changes. */
  async showAgain(key: PartitionKey): Promise<boolean> {
    const head = await this.#head(key)
    if (head?.layers === undefined) return false
    const before = await this.#day(key, head, allParts(head))
    const layers = await this.#inOrder(layersOf(head, before.books))
    const spans = await this.#spans(key, layers, before.bytes)
    if (isInOrderOf(layers, head) && Bun.deepEquals(spans, head.spans)) return false
    this.#note(layeredDate(key, before, layers, [], spans))
    return true
  }

  async #inOrder(layers: readonly Layer[]): Promise<Layer[]> {
    this.#sourceOrder ??= this.#store.catalogue.sourceOrder()
    return inOrder(layers, (await this.#sourceOrder).archives)
  }

  /** Returns the change of the day after changes of some of its layers. Removes layers whose change has no head. */
  async #layered(
    key: PartitionKey,
    before: StoredPartition,
    layers: readonly Layer[],
    changes: ReadonlyMap<Source, PartitionChange>,
  ): Promise<PartitionChange> {
    const ofOnlyLayer = layers.length === 1 && changes.size === 1 ? changes.get(layers[0]!.source) : undefined
    if (ofOnlyLayer !== undefined) return ofOnlyLayer
    let after = [...layers]
    const put: PlannedPart[] = []
    for (const [source, { head, books, put: parts }] of changes) {
      const layer = layers.find((each) => each.source === source)
      after = withLayer(after, source, head === null ? undefined : { source, head, books: books ?? layer!.books })
      put.push(...parts)
    }
    after = await this.#inOrder(after)
    return layeredDate(key, before, after, put, await this.#spans(key, after, bytesOf(before, put)))
  }

  #spans(key: PartitionKey, layers: readonly Layer[], bytes: StoredPartition['bytes']): Promise<Span[]> {
    return shownSpans(key, layers, bytes, (direction, source) => this.#days.beside(key, direction, source))
  }

  #sourcesOfChange({ date }: PartitionKey): Source[] {
    const { before, head } = this.#changes.get(date)!
    return [...new Set([before, head].flatMap((each) => (each === null ? [] : sourcesOf(each))))]
  }

  /** Adds a change of a day. Merges it with an earlier change of the same day, so that each partition changes once. */
  #note(change: PartitionChange): void {
    const { date } = change.key
    const earlier = this.#changes.get(date)
    if (earlier === undefined) return void this.#changes.set(date, change)
    const removed = new Set(change.removed.map(nameOfPart))
    const put = new Set(earlier.put.map(nameOfPart))
    this.#changes.set(date, {
      ...change,
      before: earlier.before,
      books: change.books ?? earlier.books,
      put: [...earlier.put.filter((part) => !removed.has(nameOfPart(part))), ...change.put],
      removed: [...earlier.removed, ...change.removed.filter((part) => !put.has(nameOfPart(part)))],
    })
  }

  async #head(key: PartitionKey): Promise<PartitionHead | undefined> {
    const change = this.#changes.get(key.date)
    if (change !== undefined) return change.head ?? undefined
    return this.#planned.revision === 0 ? undefined : this.#store.catalogue.head(key)
  }

  /** Returns a day as planned so far; the parts in `needed` can be read. */
  async #day(key: PartitionKey, head: PartitionHead, needed: PartId[]): Promise<StoredPartition> {
    const change = this.#changes.get(key.date)
    const put = new Map(change?.put.map((part) => [nameOfPart(part), part]))
    const isStored = change === undefined || change.before !== null
    const stored = needed.filter((part) => !put.has(nameOfPart(part)))
    const parts = isStored ? await this.#store.blocks.fetch(refsOf(key, stored)) : undefined
    const bytes = (part: PartId) => {
      const planned = put.get(nameOfPart(part))
      if (planned !== undefined) return loadBlock(planned)
      if (parts === undefined) throw new PartGone(key, nameOfPart(part))
      return parts.bytes(key, part)
    }
    return { head, books: change?.books ?? parts?.books(key) ?? NO_BOOKS, bytes }
  }

  /** Returns the closing books of the source's previous day; null if there is none. `own` are the source's books of
   *  this day. */
  async #closingBefore(key: PartitionKey, source: Source, own: LayerBooks | undefined): Promise<Uint8Array | null> {
    const day = await this.#days.beside(key, 'before', source)
    const carried = carriedInto(own, day?.date)
    if (carried !== undefined) return carried.closing
    if (day === undefined) return null
    const before = { ...key, date: day.date }
    const change = this.#changes.get(day.date)
    const books = change?.books ?? (await this.#store.blocks.fetch([{ key: before, kind: 'books' }])).books(before)
    return booksOfSource(books, source).closing
  }

  /** Adds the day's carried books to its change, if the day still starts from these books. */
  async #withCarried(change: PartitionChange, source: Source, own: LayerBooks | undefined): Promise<PartitionChange> {
    if (own?.carried === undefined || change.books === null) return change
    const day = await this.#days.beside(change.key, 'before', source)
    const carried = carriedInto(own, day?.date)
    return carried === undefined ? change : { ...change, books: { ...change.books, carried } }
  }
}

const removalOf = (key: PartitionKey, before: PartitionHead): PartitionChange => {
  return { key, before, head: null, books: null, put: [], removed: [] }
}

const loaded = ({ content, ...part }: PlannedPart): StoredPart => ({ ...part, bytes: loadBlock({ content }) })
