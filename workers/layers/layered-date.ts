// Stores a date of several sources as one partition: the parts of all layers, and the parts that the date shows. If the
// date shows one layer alone, it shows that layer's own parts. Otherwise each change writes the shown parts again.

import { nameOfPart, type PartId, type PartitionBooks } from '../../storage/block-store.ts'
import type { PartitionHead, Span } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { loadBlock } from '../block/block-builder.ts'
import { allParts } from '../partition/needed-parts.ts'
import { addEdit } from '../partition/partition-change.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from '../partition/partition-types.ts'
import { borrowedTrades } from './borrowed-trades.ts'
import { derivedDate } from './derived-date.ts'
import { encodedLayers, type Layer, layersOf } from './layer.ts'

/** Returns the change that stores the date. `before` is the stored date, and all its parts must be readable. `put` has
 *  the new parts of `layers`. `spans` says which layer readers see when. */
export function layeredDate(
  key: PartitionKey,
  before: StoredPartition,
  layers: readonly Layer[],
  put: readonly PlannedPart[],
  spans: Span[],
): PartitionChange {
  const [alone] = spans.length === 1 ? layers.filter(isShownAlone(layers, spans[0]!)) : []
  const firstChanged = alone === undefined ? 0 : firstChangedOf(before, alone, spans)
  const bytes = bytesOf(before, put)
  const usedId = Math.max(before.head.nextId, ...layers.map(({ head }) => head.nextId)) - 1
  const shown = alone ?? derived(key, layers, bytes, { spans, usedId })
  const revision = before.head.revision + 1
  const nextId = Math.max(usedId + 1, shown.head.nextId)
  const { source, ...headFields } = shown.head
  const head: PartitionHead = { ...headFields, revision, nextId, edits: addEdit(before.head, revision, firstChanged) }
  const books: PartitionBooks = { ...shown.books }
  if (layers.length > 1) {
    Object.assign(head, { layers: encodedLayers(layers), spans })
    const borrowed = borrowedTrades(key, head, bytes)
    if (borrowed !== undefined) head.borrowed = borrowed
    delete books.carried
    books.layers = layers.map((layer) => ({ ...layer.books, source: layer.source }))
  } else if (source !== undefined) head.source = source
  const [partsBefore, partsAfter] = [before.head, head].map(allParts) as [PartId[], PartId[]]
  const names = new Set(partsAfter.map(nameOfPart))
  return {
    ...{ key, before: before.head, head, books },
    put: [...put, ...('put' in shown ? shown.put : [])].filter((part) => names.has(nameOfPart(part))),
    removed: partsBefore.filter((part) => !names.has(nameOfPart(part))),
  }
}

/** Returns a function that says whether the date shows a layer alone. The user's own records are always shown, so an
 *  archive is shown alone only if there are no own records. */
const isShownAlone =
  (layers: readonly Layer[], [source]: Span) =>
  (layer: Layer) =>
    layer.source === source && (source === null || layers.every((other) => other.source !== null))

/** Returns the number of the first record that differs from the stored date `before`. */
function firstChangedOf(before: StoredPartition, { source, head }: Layer, spans: Span[]): number {
  const isAsBefore = before.head.layers === undefined || Bun.deepEquals(before.head.spans, spans)
  const was = isAsBefore ? layersOf(before.head, before.books).find((layer) => layer.source === source) : undefined
  if (was === undefined) return 0
  return Bun.deepEquals(was.head.edits, head.edits) ? was.head.recordCount : (head.edits.at(-1)?.[1] ?? 0)
}

function derived(
  key: PartitionKey,
  layers: readonly Layer[],
  bytes: StoredPartition['bytes'],
  { spans, usedId }: { spans: Span[]; usedId: number },
) {
  const bySource = new Map(layers.map(({ source, head, books }) => [source, { head, books, bytes }]))
  const { head, books, put } = derivedDate(key, bySource, spans, usedId)
  return { head: head!, books: books!, put }
}

/** Returns a function that reads stored parts and new parts. */
export function bytesOf(before: Pick<StoredPartition, 'bytes'>, put: readonly PlannedPart[]): StoredPartition['bytes'] {
  const planned = new Map(put.map((part) => [nameOfPart(part), part]))
  return (part) => {
    const found = planned.get(nameOfPart(part))
    return found === undefined ? before.bytes(part) : loadBlock(found)
  }
}
