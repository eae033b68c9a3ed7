// Questions over HTTP that nobody has asked before: each number is another question of the same size.

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
  /** What the checksum is of, question 0 unless given: a cursor in an answer is signed with a secret of its store. */
  checked?: string
  target?: Target
}

/** One is answered and noted before any is timed. Returns the median in ms. */
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

/** Whole minutes that hold all of a day; each number is another window. */
export const windowOf = (fromMs: number, number: number): string =>
  `start_timestamp=${fromMs - number * MINUTE_MS}&end_timestamp=${fromMs + DAY_MS - 1}`
