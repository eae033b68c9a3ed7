// A hole in the numbers of a subscription as a line of an export, which loads again beside the records of its market:
// `{"backbook": "sequence_hole", "market": …, "from": …}`, `from` in Unix ms.

import { isObject } from '../described-message.ts'

export const PRINTED_HOLE = 'sequence_hole'

export type PrintedHole = { market: string; fromMs: number }

export const printHole = ({ market, fromMs }: PrintedHole): string =>
  `${JSON.stringify({ backbook: PRINTED_HOLE, market, from: fromMs })}\n`

/** Undefined for a line that does not say it so. */
export function readHole(value: unknown): PrintedHole | undefined {
  if (!isObject(value)) return undefined
  const { market, from } = value
  if (typeof market !== 'string' || typeof from !== 'number') return undefined
  return Number.isSafeInteger(from) && from >= 0 ? { market, fromMs: from } : undefined
}
