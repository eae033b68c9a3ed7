// Sends queries over HTTP that were never sent before: each number is another query of the same size.

import { DAY_MS, MINUTE_MS } from '../../storage/units.ts'
import type { Findings, Size, Target } from '../topic.ts'
import { checksum } from './checksum.ts'
import { type Asked, askBytes, drain } from './http-client.ts'
import { median } from './median.ts'
import { elapsedMs } from './timing.ts'

const WARM_UP = { smoke: 1, full: 20 }
const REPETITIONS = { smoke: 2, full: 31 }

export type NewQuestions = {
  name: string
  path: (number: number) => string
  /** The path whose answer's checksum is recorded; query 0 by default. Needed if an answer contains a cursor, which is
   *  signed with a secret of the store. */
  checked?: string
  target?: Target
}

/** Records the checksum of one answer before timing others. Returns the median, ms. */
export async function askNew(
  findings: Findings,
  asked: Asked,
  { name, path, checked = path(0), target }: NewQuestions,
  size: Size,
): Promise<number> {
  findings.answer(name, checksum(await askBytes(asked, checked)))
  let number = 1
  const ask = () => drain(asked, path(number++))
  for (let i = 0; i < WARM_UP[size]; i++) await ask()
  const times: number[] = []
  for (let i = 0; i < REPETITIONS[size]; i++) times.push(await elapsedMs(ask))
  const ms = median(times)
  findings.figure(name, ms, 'ms', target)
  return ms
}

/** Returns a window of whole minutes that contains all of a day; each number is another window. */
export const windowOf = (fromMs: number, number: number): string =>
  `start_timestamp=${fromMs - number * MINUTE_MS}&end_timestamp=${fromMs + DAY_MS - 1}`
