// Writes the partition that a date of several sources shows: the shown records of the layers in order, and at each
// switch the books of the layer that is shown from then on (docs/sources.md).

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { Source } from '../../storage/format/head-layers.ts'
import { type SequenceHole, type Span, spanEndMs } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { BlockSource } from '../partition/block-source.ts'
import { changeOf } from '../partition/partition-change.ts'
import type { PartitionChange, StoredPartition } from '../partition/partition-types.ts'
import { PartitionWriter } from '../partition/partition-writer.ts'
import { booksAt, replayAtStart } from './books-at.ts'
import { withTrust } from './shown-trust.ts'

/** Returns the partition that the date shows. `layers` has the layers of all sources in `spans`, and the layer of the
 *  user's own source if that source has the date. Part ids begin above `base`. */
export function derivedDate(
  key: PartitionKey,
  layers: ReadonlyMap<Source, StoredPartition>,
  spans: readonly Span[],
  base: number,
): PartitionChange {
  const first = layers.get(spans[0]![0])!
  const own = layers.get(null)
  const { heard = [] } = own?.head ?? {}
  const sequenceHoles = holesShown(layers, spans)
  const replay = replayAtStart(key, first, { heard, sequenceHoles })
  const writer = new PartitionWriter({ key, firstRecord: 0, replay, state: null })
  const ownRecords = own && new LayerRecords(key, own)
  spans.forEach(([source, fromMs], i) => {
    const layer = layers.get(source)!
    if (i > 0) writer.switchTo(booksAt(key, layer, fromMs), fromMs)
    const endMs = spanEndMs(spans, i)
    if (source === null) ownRecords!.copyBefore(writer, endMs)
    else copyBoth(writer, new LayerRecords(key, layer, fromMs), ownRecords, endMs)
  })
  const closing = writer.finish()
  const made = changeOf({
    ...{ key, before: undefined, base, from: 0, writer, firstChanged: 0, looseSnapshots: [], heard },
    ...{ sequenceHoles, source: undefined, books: { opening: first.books.opening, closing } },
  })
  writer.replay.release()
  const heads = new Map([...layers].map(([source, { head }]) => [source, head]))
  return { ...made, head: { ...made.head!, ...withTrust(made.head!.books, heads, spans) } }
}

function holesShown(layers: ReadonlyMap<Source, StoredPartition>, spans: readonly Span[]): SequenceHole[] {
  return spans.flatMap(([source, spanMs], i) => {
    const { sequenceHoles = [] } = layers.get(source)!.head
    return sequenceHoles.filter(({ fromMs }) => fromMs >= spanMs && fromMs < spanEndMs(spans, i))
  })
}

/** Copies the archive's records up to `endMs`, together with the user's own records. Within a ms, own records come
 *  first. */
function copyBoth(writer: PartitionWriter, archive: LayerRecords, own: LayerRecords | undefined, endMs: number): void {
  while (archive.timeMs < endMs) {
    own?.copyBefore(writer, Math.min(archive.timeMs + 1, endMs), true)
    archive.copy(writer)
  }
  own?.copyBefore(writer, endMs, true)
}

/** Iterates over the records of a layer. */
class LayerRecords {
  readonly #source: BlockSource
  #next = 0
  #block: DecodedBlock | undefined
  #aside: DecodedBlock | undefined
  #first = 0

  constructor({ venue }: PartitionKey, { head, bytes }: StoredPartition, fromMs = Number.NEGATIVE_INFINITY) {
    const read = (index: number) => decodeBlock(bytes(blockPart(head.blocks[index]!.id)))
    const counts = head.blocks.map(({ recordCount }) => recordCount)
    this.#source = new BlockSource(venue, counts, read, ({ isCovered }) => isCovered === true)
    const block = head.blocks.findIndex(({ lastMs }) => lastMs >= fromMs)
    this.#next = block < 0 ? head.recordCount : this.#source.firstRecordFrom(block, fromMs)
  }

  /** Time of the next record; infinite after the last one. */
  get timeMs(): number {
    if (this.#next >= this.#source.recordCount) return Number.POSITIVE_INFINITY
    this.#open()
    return this.#block!.timesMs[this.#next - this.#first]!
  }

  copy(writer: PartitionWriter, isAside = false): void {
    const timeMs = this.timeMs
    if (isAside) this.#aside ??= asideOf(this.#block!)
    writer.copy(isAside ? this.#aside! : this.#block!, this.#next - this.#first, timeMs)
    this.#next++
  }

  copyBefore(writer: PartitionWriter, endMs: number, isAside = false): void {
    while (this.timeMs < endMs) this.copy(writer, isAside)
  }

  #open(): void {
    if (this.#block !== undefined && this.#next - this.#first < this.#block.recordCount) return
    const index = this.#source.blockOf(this.#next)
    this.#first = this.#source.firstRecordOf(index)
    this.#block = this.#source.block(index)
    this.#aside = undefined
  }
}

const asideOf = (block: DecodedBlock): DecodedBlock => ({
  ...block,
  shapes: block.shapes.map((shape) => ({ ...shape, shape: { ...shape.shape, isAside: true as const } })),
})
