// What each source says of a date, as the date's head holds it.

import type { PartitionHead } from './partition-head.ts'
import { decodeHead } from './partition-head-codec.ts'

/** An archive by its name; null is the user's own. */
export type Source = string | null

/** The order of sources: the user's own, then archives by name. */
export function ownFirst(one: Source, other: Source): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return Number(one > other) - Number(one < other)
}

/** Those that tell of a date: the user's own first, then archives in the order in which they are asked. */
export const sourcesOf = ({ layers, source }: PartitionHead): Source[] =>
  layers === undefined ? [source ?? null] : layers.map((layer) => layer.source)

/** The head of what one source says of the date; undefined where it says nothing. Throws
 *  DataError('block_corrupt'). */
export function headOfSource(head: PartitionHead, source: Source): PartitionHead | undefined {
  if (head.layers === undefined) return (head.source ?? null) === source ? head : undefined
  const layer = head.layers.find((each) => each.source === source)
  return layer && decodeHead(layer.head)
}

/** Whether a date shows another source when it begins than the stored date before it showed last. */
export const isSwitchedTo = (before: PartitionHead, date: PartitionHead): boolean =>
  lastShown(before) !== firstShown(date)

const firstShown = ({ spans, source }: PartitionHead): Source => (spans === undefined ? (source ?? null) : spans[0]![0])
const lastShown = ({ spans, source }: PartitionHead): Source =>
  spans === undefined ? (source ?? null) : spans.at(-1)![0]

export type SourceCount = { source: string; records: number }

/** Archives that tell of the date, by name, and the records of each, shown or not. */
export function archivesOf({ layers, source, recordCount }: PartitionHead): SourceCount[] {
  const all = layers ?? [{ source: source ?? null, recordCount }]
  return all.flatMap((layer) => (layer.source === null ? [] : [{ source: layer.source, records: layer.recordCount }]))
}

/** Records that are stored of the date, of all sources. */
export const storedRecords = ({ layers, recordCount }: PartitionHead): number =>
  layers === undefined ? recordCount : layers.reduce((sum, layer) => sum + layer.recordCount, 0)
