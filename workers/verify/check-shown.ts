// Derives what a date shows from its layers again, and compares.

import type { PartId } from '../../storage/block-store.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { loadBlock } from '../block/block-builder.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { layersOf } from '../layers/layer.ts'
import { layeredDate } from '../layers/layered-date.ts'
import { shownSpans } from '../layers/shown-spans.ts'
import { storeOfSource } from '../layers/source-view.ts'
import { partsOfPartition } from '../partition/needed-parts.ts'

/** A sentence for each difference; the layers are sound. */
export async function shownDamage(store: Store, key: PartitionKey, head: PartitionHead): Promise<string[]> {
  const fetched = await store.blocks.fetch(partsOfPartition(key, head))
  const stored = { head, books: fetched.books(key), bytes: (part: PartId) => fetched.bytes(key, part) }
  const layers = layersOf(head, stored.books)
  const spans = await shownSpans(key, layers, stored.bytes, (direction, source) =>
    storeOfSource(store, source).catalogue.neighbour(key, direction),
  )
  if (!Bun.deepEquals(spans, head.spans)) return ['head: its spans do not follow from its layers']
  const derived = layeredDate(key, stored, layers, [], spans)
  const put = new Map(derived.put.map((part) => [`${part.kind} ${part.id} ${part.book}`, loadBlock(part)]))
  const isSame = (kind: PartId['kind'], storedId: number, id: number, book = 0) => {
    const bytes = put.get(`${kind} ${id} ${book}`)
    return bytes === undefined ? storedId === id : isSameBytes(stored.bytes({ kind, id: storedId, book }), bytes)
  }
  const shown = derived.head!
  if (!Bun.deepEquals(comparable(head), comparable(shown)))
    return ['head: what it shows does not follow from its layers']
  const areSame = head.blocks.every((block, i) => {
    const { id, stateId } = shown.blocks[i]!
    return isSame('block', block.id, id) && (i === 0 || isSame('state', block.stateId, stateId))
  })
  return areSame ? [] : ['blocks: those that it shows do not follow from its layers']
}

/** Without what differs from one writing to the next, and without the layers. */
const comparable = ({
  blocks,
  rollups,
  revision: _,
  nextId: __,
  edits: ___,
  layers: ____,
  ...head
}: PartitionHead) => ({
  ...head,
  blocks: blocks.map(({ id: _id, stateId: _state, ...block }) => block),
  rollups: rollups.map(({ id: _id, ...rollup }) => rollup),
})
