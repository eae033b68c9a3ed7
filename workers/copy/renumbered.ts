// A head, with ids and revisions behind those that the target has used: an id never names two parts, and a cursor of a
// day that was removed is not believed again. Pure.

import type { PartitionHead } from '../../storage/format/partition-head.ts'

/** `by` is added to each of them; 0 where all of them are above `base` anyway. */
export function shiftAbove(base: number, { revision, blocks, rollups }: PartitionHead): number {
  const ids = [...blocks.flatMap(({ id, stateId }) => (stateId === 0 ? [id] : [id, stateId])), ...rollups.map(idOf)]
  return [revision, ...ids].some((each) => each <= base) ? base : 0
}

const idOf = ({ id }: { id: number }): number => id

export function renumbered(head: PartitionHead, by: number): PartitionHead {
  if (by === 0) return head
  return {
    ...head,
    revision: head.revision + by,
    nextId: head.nextId + by,
    blocks: head.blocks.map((block) => ({
      ...block,
      id: block.id + by,
      stateId: block.stateId === 0 ? 0 : block.stateId + by,
    })),
    rollups: head.rollups.map((rollup) => ({ ...rollup, id: rollup.id + by })),
    edits: head.edits.map(([revision, record]): [number, number] => [revision + by, record]),
  }
}
