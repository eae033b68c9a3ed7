// What each source says of a date: its layer. Where one source tells of a date, its layer is all that is stored of it.

import type { LayerBooks, PartitionBooks } from '../../storage/block-store.ts'
import { headOfSource, type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import type { LayerEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { encodeHead } from '../../storage/format/partition-head-codec.ts'

export type Layer = { source: Source; head: PartitionHead; books: LayerBooks }

/** In the order of `sourcesOf`. Throws DataError('block_corrupt'). */
export const layersOf = (head: PartitionHead, books: PartitionBooks): Layer[] =>
  sourcesOf(head).map((source) => {
    return { source, head: headOfSource(head, source)!, books: booksOfSource(books, source) }
  })

/** The books of one source's layer, which tells of the date. */
export const booksOfSource = ({ layers, ...books }: PartitionBooks, source: Source): LayerBooks =>
  layers?.find((layer) => layer.source === source) ?? books

/** With what a source says of the date now; undefined where it says nothing any more. */
export function withLayer(layers: readonly Layer[], source: Source, layer: Layer | undefined): Layer[] {
  const others = layers.filter((each) => each.source !== source)
  return layer === undefined ? others : [...others, layer]
}

export const encodedLayers = (layers: readonly Layer[]): LayerEntry[] =>
  layers.map(({ source, head }) => ({ source, recordCount: head.recordCount, head: encodeHead(head) }))

/** Whether no other source tells of the date. */
export const isOfOne = ({ layers, source }: PartitionHead, of: Source): boolean =>
  layers === undefined && (source ?? null) === of
