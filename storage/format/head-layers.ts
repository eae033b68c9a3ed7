// The layers of a date, one for each source, as the date's head holds them.

import type { PartitionHead } from './partition-head.ts'
import { decodeHead } from './partition-head-codec.ts'

/** The name of an archive; null for the user's own records. */
export type Source = string | null

/** Compares sources: the user's own first, then archives by name. */
export function ownFirst(one: Source, other: Source): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return Number(one > other) - Number(one < other)
}

/** Returns the sources that a date has: the user's own first, then archives in order of preference. */
export const sourcesOf = ({ layers, source }: PartitionHead): Source[] =>
  layers === undefined ? [source ?? null] : layers.map((layer) => layer.source)

/** Returns the head of one source's layer; undefined if the source has nothing on the date. Throws
 *  DataError('block_corrupt'). */
export function headOfSource(head: PartitionHead, source: Source): PartitionHead | undefined {
  if (head.layers === undefined) return (head.source ?? null) === source ? head : undefined
  const layer = head.layers.find((each) => each.source === source)
  return layer && decodeHead(layer.head)
}

/** Returns whether `date` begins with another source than `before` ends with. `before` is the stored date that precedes
 *  `date`. */
export const isSwitchedTo = (before: PartitionHead, date: PartitionHead): boolean =>
  lastShown(before) !== firstShown(date)

/** Returns the source that a date shows first. */
export const firstShown = ({ spans, source }: PartitionHead): Source =>
  spans === undefined ? (source ?? null) : spans[0]![0]
const lastShown = ({ spans, source }: PartitionHead): Source =>
  spans === undefined ? (source ?? null) : spans.at(-1)![0]

export type SourceCount = { source: string; records: number }

/** Returns the archives that a date has, in the order of its layers, each with its number of records, shown or not. */
export function archivesOf({ layers, source, recordCount }: PartitionHead): SourceCount[] {
  const all = layers ?? [{ source: source ?? null, recordCount }]
  return all.flatMap((layer) => (layer.source === null ? [] : [{ source: layer.source, records: layer.recordCount }]))
}

/** Returns the number of stored records of the date, of all sources. */
export const storedRecords = ({ layers, recordCount }: PartitionHead): number =>
  layers === undefined ? recordCount : layers.reduce((sum, layer) => sum + layer.recordCount, 0)
