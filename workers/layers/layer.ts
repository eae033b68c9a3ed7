// A layer is the part of a date that comes from one source. If a date has only one source, its layer is everything that
// is stored of the date.

import type { LayerBooks, PartitionBooks } from '../../storage/block-store.ts'
import { headOfSource, type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import type { LayerEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { encodeHead } from '../../storage/format/partition-head-codec.ts'

export type Layer = { source: Source; head: PartitionHead; books: LayerBooks }

/** Returns the layers of a date in the order of `sourcesOf`. Throws DataError('block_corrupt'). */
export const layersOf = (head: PartitionHead, books: PartitionBooks): Layer[] =>
  sourcesOf(head).map((source) => {
    return { source, head: headOfSource(head, source)!, books: booksOfSource(books, source) }
  })

/** Returns the books of one source's layer; the source must have the date. */
export const booksOfSource = ({ layers, ...books }: PartitionBooks, source: Source): LayerBooks =>
  layers?.find((layer) => layer.source === source) ?? books

/** Returns the layers with `layer` in place of the layer of `source`. If `layer` is undefined, removes the layer of
 *  `source`. */
export function withLayer(layers: readonly Layer[], source: Source, layer: Layer | undefined): Layer[] {
  const others = layers.filter((each) => each.source !== source)
  return layer === undefined ? others : [...others, layer]
}

export const encodedLayers = (layers: readonly Layer[]): LayerEntry[] =>
  layers.map(({ source, head }) => ({ source, recordCount: head.recordCount, head: encodeHead(head) }))

/** Returns whether the head lists its layers in the order of `layers`. */
export const isInOrderOf = (layers: readonly Layer[], head: PartitionHead): boolean =>
  Bun.deepEquals(
    layers.map(({ source }) => source),
    sourcesOf(head),
  )

/** Returns whether the date has only the layer of the source `of`. */
export const isOfOne = ({ layers, source }: PartitionHead, of: Source): boolean =>
  layers === undefined && (source ?? null) === of
