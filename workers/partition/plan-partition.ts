// Plans how a capture changes a partition: parts to store and to remove. Pure; needs no lock.

import { blockPart, statePart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry, BookEntry, BookTimes, SequenceHole } from '../../storage/format/partition-head.ts'
import { isOfTwo, isRecorded } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { blockOf } from '../block/block-builder.ts'
import { decodeBooks, decodeState, UNSEEN_BOOKS } from '../book/book-state.ts'
import { dayOrigin } from '../book/quality-state.ts'
import { mergeBookTimes, unbrokenTimesOf } from '../book-times/book-times.ts'
import { areNumbersReadAnew } from '../book-times/numbers-read-anew.ts'
import { PartitionGaps } from '../book-times/partition-gaps.ts'
import { BlockSource } from './block-source.ts'
import { captureOrder } from './capture-order.ts'
import { closedBooks } from './closed-books.ts'
import { type CollectedPartition, followed, holesOf, isBehind, isReady, plannedPart } from './collected-partition.ts'
import { joinFrom, seedOf } from './join-blocks.ts'
import { endsWith, mergeOrder } from './merge-order.ts'
import { openingBooks, startsFromSnapshot } from './opening-books.ts'
import { changeOf } from './partition-change.ts'
import { PartitionReplay } from './partition-replay.ts'
import type { PartitionChange, StoredPartition } from './partition-types.ts'
import { PartitionWriter } from './partition-writer.ts'
import { reorder } from './record-sequence.ts'

/** A capture with at least this many records is appended as it is: small blocks before it are not joined with it. */
const JOINED_RECORDS_MAX = 4_096

/** Returns the change; undefined if everything is stored already. `closingBefore` returns the closing books of the
 *  latest stored day before. New ids, and the revision of a new partition, are above `base`. */
export function planPartition(
  before: StoredPartition | undefined,
  collected: CollectedPartition,
  closingBefore: () => Uint8Array | null,
  base = 0,
): PartitionChange | undefined {
  const heard = mergeBookTimes(before?.head.heard ?? [], collected.heard)
  const { bookIds, source } = collected
  const origins = { heard, sequenceHoles: holesOf(before?.head, collected), bookIds, source }
  const plan = new PartitionPlan(collected.key, before, closingBefore, origins, base)
  const change = isBehind(before?.head, collected) ? plan.append(collected) : plan.merge(collected)
  if (collected.ongoing !== null) collected.ongoing.planned = plannedPart(before?.head, collected, change?.head)
  return change
}

/** Plans a partition again after the closing books of the day before have changed. The partition's blocks stay. */
export function replanPartition(
  key: PartitionKey,
  before: StoredPartition,
  closingBefore: () => Uint8Array | null,
  base: number,
): PartitionChange {
  const { heard = [], sequenceHoles = [], source } = before.head
  return new PartitionPlan(key, before, closingBefore, { heard, sequenceHoles, source, bookIds: [] }, base).replay()
}

/** Facts about the origin of a capture's records. `bookIds` are the books of the capture. */
type Origins = { heard: BookTimes[]; sequenceHoles: SequenceHole[]; bookIds: string[]; source: string | undefined }

class PartitionPlan {
  readonly #key: PartitionKey
  readonly #before: StoredPartition | undefined
  readonly #closingBefore: () => Uint8Array | null
  readonly #blocks: BlockEntry[]
  readonly #recordCount: number
  readonly #base: number
  readonly #origins: Origins
  readonly #gaps: PartitionGaps

  constructor(
    key: PartitionKey,
    before: StoredPartition | undefined,
    closingBefore: () => Uint8Array | null,
    origins: Origins,
    base = 0,
  ) {
    this.#origins = origins
    this.#gaps = new PartitionGaps(before?.head, origins, () => carriedIds(closingBefore()))
    this.#key = key
    this.#base = base
    this.#before = before
    this.#closingBefore = closingBefore
    this.#blocks = before?.head.blocks ?? []
    this.#recordCount = before?.head.recordCount ?? 0
  }

  append(collected: CollectedPartition): PartitionChange {
    const isLarge = collected.recordCount >= JOINED_RECORDS_MAX
    const isBehindAll = isLarge && isReady(collected)
    return this.#appendTo(isBehindAll ? this.#gaps.firstMarked : this.#joinFrom(collected.recordCount), collected)
  }

  #appendTo(from: number, collected: CollectedPartition): PartitionChange {
    const { recordCount } = collected
    const writer = this.#writerAt(from)
    const stored = this.#source()
    writer.copyAll(stored, this.#firstRecordOf(from), this.#recordCount)
    const canReuse = from === this.#blocks.length && isReady(collected) && !this.#gaps.areIn(collected)
    if (canReuse && writer.fits(collected)) {
      for (const block of collected.blocks) writer.add(block)
    } else {
      writer.copyAll(this.#sourceOf(collected), 0, recordCount)
    }
    const loose = collected.looseSnapshots.map((record) => this.#recordCount + record)
    const retained = this.#looseBefore(collected)
    return this.#change(writer, from, { firstChanged: this.#recordCount, looseSnapshots: [...retained, ...loose] })
  }

  /** Returns the stored snapshots that are still loose. The last one stays loose only if the new records begin in the
   *  same ms and are of another capture. */
  #looseBefore({ ongoing, startsMs }: CollectedPartition): number[] {
    if (this.#before === undefined) return []
    const { looseSnapshots, lastMs } = this.#before.head
    const isLoose = startsMs === lastMs && followed(this.#before.head, ongoing) === undefined
    return isLoose ? looseSnapshots : looseSnapshots.filter((record) => record < this.#recordCount - 1)
  }

  merge(collected: CollectedPartition): PartitionChange | undefined {
    const { earliestTwinMs, ongoing } = collected
    const stored = this.#source()
    const incoming = this.#sourceOf(collected)
    const sequence = incoming.sequence(0, collected.looseSnapshots)
    const isWhole = collected.isSorted && !collected.mayRepeat
    // A recorder's segment has every message as received, so the venue sent a repeated message twice.
    const stretchStarts = ongoing === null && !isRecorded(collected.heard) ? collected.stretchStarts : undefined
    const capture = isWhole ? undefined : captureOrder(incoming, sequence, stretchStarts)
    // Stored records before the capture's earliest possible twin cannot change.
    const firstBlock = this.#blocks.findIndex(({ lastMs }) => lastMs >= earliestTwinMs)
    const looseBefore = this.#before?.head.looseSnapshots ?? []
    const start = firstBlock < 0 ? stored.recordCount : stored.firstRecordFrom(firstBlock, earliestTwinMs)
    const storedSequence = stored.sequence(start, looseBefore)
    const incomingSequence = capture === undefined ? sequence : reorder(sequence, capture)
    const isPreferred = (index: number, place: number) =>
      incoming.comparedText(capture?.[index] ?? index) < stored.comparedText(start + place)
    const order = mergeOrder(
      storedSequence,
      incomingSequence,
      ongoing !== null,
      isPreferred,
      isOfTwo(this.#origins.heard),
    )
    const firstChanged = start + order.firstChanged
    const added = order.count - (stored.recordCount - start)
    const isBehind = firstChanged === stored.recordCount
    if (isBehind && added === 0) return this.#changeOfOrigins()
    if (isBehind && isWhole && endsWith(order, sequence))
      return this.#appendTo(this.#joinFrom(collected.recordCount), collected)
    const from = isBehind ? this.#joinFrom(added) : Math.min(stored.blockOf(firstChanged), this.#gaps.firstMarked)
    const writer = this.#writerAt(from)
    writer.copyAll(stored, this.#firstRecordOf(from), start)
    const firstWritten = this.#firstRecordOf(from)
    for (let i = Math.max(0, firstWritten - start); i < order.count; i++) {
      const source = order.sources[i]!
      const at = order.timesMs[i]!
      if (source >= 0) copyRecord(writer, stored, start + source, at)
      else copyRecord(writer, incoming, capture === undefined ? -1 - source : capture[-1 - source]!, at)
    }
    const retained = looseBefore.filter((record) => record < start)
    const looseSnapshots = [...retained, ...order.looseSnapshots.map((record) => start + record)]
    return this.#change(writer, from, { firstChanged, looseSnapshots })
  }

  replay(): PartitionChange {
    const writer = this.#openAt(0)
    this.#pass(writer, 0, this.#gaps.firstMarked)
    return this.#rewrite(writer)
  }

  /** Returns the change if only facts about the capture's origin are new; undefined if nothing is new. */
  #changeOfOrigins(): PartitionChange | undefined {
    if (this.#isReadAnew) return this.replay()
    if (this.#gaps.firstMarked < this.#blocks.length) return this.#rewrite(this.#writerAt(this.#gaps.firstMarked))
    const before = this.#before!.head
    const { heard } = this.#origins
    if (heard === before.heard || heard.length === 0) return undefined
    const head = { ...before, revision: before.revision + 1, heard }
    return { key: this.#key, before, head, books: null, put: [], removed: [] }
  }

  /** Writes the same records, with the marks of their gaps updated. */
  #rewrite(writer: PartitionWriter): PartitionChange {
    const from = this.#gaps.firstMarked
    writer.copyAll(this.#source(), this.#firstRecordOf(from), this.#recordCount)
    const { looseSnapshots } = this.#before!.head
    return this.#change(writer, from, { firstChanged: this.#recordCount, looseSnapshots })
  }

  /** Returns a writer that continues at block `from`. If a rollup has records on both sides of that place, opens the
   *  writer at the rollup's first block. If the whole day is read anew, opens it at block 0. The writer replays the
   *  blocks before `from` without changing them. */
  #writerAt(from: number): PartitionWriter {
    const firstRecord = this.#firstRecordOf(from)
    const cut = this.#before?.head.rollups.find(
      (rollup) => rollup.firstRecord < firstRecord && rollup.firstRecord + rollup.recordCount > firstRecord,
    )
    const isReadAnew = this.#isReadAnew
    if (cut === undefined && !isReadAnew) return this.#openAt(from)
    const first = isReadAnew ? 0 : this.#blocks.findIndex((block) => block.firstRecord === cut!.firstRecord)
    const writer = this.#openAt(first)
    this.#pass(writer, first, from)
    return writer
  }

  /** Whether this capture changes how the sequence numbers of the whole day are read. */
  get #isReadAnew(): boolean {
    return this.#before !== undefined && areNumbersReadAnew(this.#before.head, this.#origins)
  }

  #openAt(block: number): PartitionWriter {
    const [key, firstRecord] = [this.#key, this.#firstRecordOf(block)]
    if (block === 0) {
      const { books, isDoubtful } = closedBooks(this.#closingBefore())
      const isDoubted = (id: string) => isDoubtful(id, key.date)
      const replay = PartitionReplay.atStart(key.date, books, dayOrigin(key.venue, this.#origins), isDoubted)
      return new PartitionWriter({ key, firstRecord, replay, state: null })
    }
    const state = this.#stateBefore(block)
    const replay = PartitionReplay.from(decodeState(state), unbrokenTimesOf(this.#origins.heard))
    return new PartitionWriter({ key, firstRecord, replay, state })
  }

  #pass(writer: PartitionWriter, from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const entry = this.#blocks[index]!
      const bytes = this.#before!.bytes(blockPart(entry.id))
      writer.pass(entry, bytes, PartitionReplay.clockOf(decodeState(this.#stateBefore(index + 1))))
    }
  }

  #joinFrom(added: number): number {
    const counts = this.#blocks.map(({ recordCount }) => recordCount)
    return Math.min(joinFrom(counts, added, seedOf(this.#key)), this.#gaps.firstMarked)
  }

  #stateBefore(block: number): Uint8Array {
    const { books, bytes } = this.#before!
    const entry = this.#blocks[block]
    return entry === undefined ? books.closing! : bytes(statePart(entry.stateId))
  }

  #firstRecordOf(block: number): number {
    return this.#blocks[block]?.firstRecord ?? this.#recordCount
  }

  #source(): BlockSource {
    return new BlockSource(
      this.#key.venue,
      this.#blocks.map(({ recordCount }) => recordCount),
      (index) => decodeBlock(this.#before!.bytes(blockPart(this.#blocks[index]!.id))),
      this.#gaps.isCovered,
    )
  }

  #sourceOf({ key, blocks }: CollectedPartition): BlockSource {
    const counts = blocks.map(({ recordCount }) => recordCount)
    return new BlockSource(key.venue, counts, (index) => blockOf(blocks[index]!), this.#gaps.isCovered)
  }

  #change(
    writer: PartitionWriter,
    from: number,
    { firstChanged, looseSnapshots }: { firstChanged: number; looseSnapshots: number[] },
  ): PartitionChange {
    const closing = writer.finish()
    const isAppended = this.#before !== undefined && firstChanged === this.#recordCount && writer.firstRecord > 0
    const opening = this.#openingBooks(writer.replay, isAppended)
    const change = changeOf({
      ...{ key: this.#key, before: this.#before, base: this.#base },
      from,
      writer,
      firstChanged,
      looseSnapshots,
      ...this.#origins,
      books: { opening, closing },
    })
    writer.replay.release()
    return change
  }

  /** Returns the opening books. The stored opening books are valid until a further book begins with a snapshot. */
  #openingBooks(replay: PartitionReplay, isAppended: boolean): Uint8Array | null {
    const before = this.#before
    const countOf = (entries: readonly Pick<BookEntry, 'startsFrom'>[]) => entries.filter(startsFromSnapshot).length
    if (isAppended && countOf(before!.head.books) === countOf(replay.entries)) return before!.books.opening
    return openingBooks(closedBooks(this.#closingBefore()).books, replay.entries)
  }
}

const carriedIds = (closing: Uint8Array | null): string[] =>
  closing === null ? [] : decodeBooks(closing).flatMap(({ id }) => (id === UNSEEN_BOOKS ? [] : id))

function copyRecord(writer: PartitionWriter, source: BlockSource, record: number, timeMs?: number): void {
  const index = source.blockOf(record)
  const block = source.block(index)
  const row = record - source.firstRecordOf(index)
  writer.copy(block, row, timeMs ?? block.timesMs[row]!)
}
