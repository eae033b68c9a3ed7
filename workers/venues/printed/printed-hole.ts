// Prints and reads a hole in a subscription's sequence numbers: a line of an export, which is loaded again with the
// records of the market. `{"backbook": "sequence_hole", "market": …, "from": …, "source"?: …}`, `from` in Unix ms.

import type { SequenceHole } from '../../../storage/format/partition-head.ts'
import type { JsonObject } from '../described-message.ts'

export const PRINTED_HOLE = 'sequence_hole'

/** `source` is undefined for the user's own records. */
export type PrintedHole = { market: string; source: string | undefined; hole: SequenceHole }

export const printHole = ({ market, source, hole }: PrintedHole): string =>
  `${JSON.stringify({ backbook: PRINTED_HOLE, market, from: hole.fromMs, source })}\n`

/** Returns the content of a line; undefined if the line is not valid. */
export function readHole(value: JsonObject, source: string | undefined): PrintedHole | undefined {
  const { market, from } = value
  if (typeof market !== 'string' || typeof from !== 'number') return undefined
  return Number.isSafeInteger(from) && from >= 0 ? { market, source, hole: { fromMs: from } } : undefined
}
