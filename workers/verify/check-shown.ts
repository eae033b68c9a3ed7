// Derives again, from the layers of a date, what the date shows. Compares the result with the stored data.

import { nameOfPart, type PartId } from '../../storage/block-store.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { loadBlock } from '../block/block-builder.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { isInOrderOf, layersOf } from '../layers/layer.ts'
import { layeredDate } from '../layers/layered-date.ts'
import { shownSpans } from '../layers/shown-spans.ts'
import { storeOfSource } from '../layers/source-view.ts'
import { inOrder } from '../layers/spans.ts'
import { allParts, partsOfPartition } from '../partition/needed-parts.ts'

/** Returns a sentence for each difference. The layers must be sound. */
export async function shownDamage(store: Store, key: PartitionKey, head: PartitionHead): Promise<string[]> {
  const fetched = await store.blocks.fetch(partsOfPartition(key, head))
  const stored = { head, books: fetched.books(key), bytes: (part: PartId) => fetched.bytes(key, part) }
  const { archives } = await store.catalogue.sourceOrder()
  const layers = inOrder(layersOf(head, stored.books), archives)
  if (!isInOrderOf(layers, head)) return ['head: its layers are not in the order of sources']
  const spans = await shownSpans(key, layers, stored.bytes, (direction, source) =>
    storeOfSource(store, source).catalogue.neighbour(key, direction),
  )
  if (!Bun.deepEquals(spans, head.spans)) return ['head: its spans do not follow from its layers']
  const { head: shown, books, put } = layeredDate(key, stored, layers, [], spans)
  if (!Bun.deepEquals(comparable(head), comparable(shown!)))
    return ['head: what it shows does not follow from its layers']
  const written = new Map(put.map((part) => [nameOfPart(part), loadBlock(part)]))
  const isSame = (part: PartId, derived: PartId) => {
    const bytes = written.get(nameOfPart(derived))
    return bytes === undefined ? part.id === derived.id : isSameBytes(stored.bytes(part), bytes)
  }
  const derived = shownParts(shown!)
  const damage = shownParts(head).flatMap((part, i) => {
    return isSame(part, derived[i]!) ? [] : [`${nameOfPart(part)}: does not follow from its layers`]
  })
  for (const at of ['opening', 'closing'] as const) {
    if (!isSameBytes(stored.books[at], books![at])) damage.push(`books: the ${at} books do not follow from its layers`)
  }
  return damage
}

/** Returns the parts that the date shows, in the order of the head. */
const shownParts = ({ layers: _, ...shown }: PartitionHead): PartId[] => allParts(shown)

/** Returns the head without its layers, and without values that differ each time the head is written. */
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
