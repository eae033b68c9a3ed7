// A hole in the numbers of a subscription as a line of an export, which loads again beside the records of its market:
// `{"backbook": "sequence_hole", "market": …, "from": …, "source"?: …}`, `from` in Unix ms.

import type { SequenceHole } from '../../../storage/format/partition-head.ts'
import type { JsonObject } from '../described-message.ts'

export const PRINTED_HOLE = 'sequence_hole'

/** `source` is undefined for the user's own. */
export type PrintedHole = { market: string; source: string | undefined; hole: SequenceHole }

export const printHole = ({ market, source, hole }: PrintedHole): string =>
  `${JSON.stringify({ backbook: PRINTED_HOLE, market, from: hole.fromMs, source })}\n`

/** Undefined for a line that does not say it so. */
export function readHole(value: JsonObject, source: string | undefined): PrintedHole | undefined {
  const { market, from } = value
  if (typeof market !== 'string' || typeof from !== 'number') return undefined
  return Number.isSafeInteger(from) && from >= 0 ? { market, source, hole: { fromMs: from } } : undefined
}
