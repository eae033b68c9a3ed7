// How much memory an answer takes while it is made, for a client that takes it as fast as that. What is small is not
// weighed, and waits for nothing that is large.

import { SECOND_MS } from '../../storage/units.ts'
import type { PageRequest, SummaryRequest } from '../requests.ts'

/** Of the columns of a summary: a day at 1 s takes 13 MB. */
const BUCKET_BYTES = 150
/** Of a decoded block, of which a page holds one at a time, and of what is written from it. */
const PAGE_BYTES = 8 * 2 ** 20
const SMALL_BYTES = 2 ** 20
/** A page of fewer records is sent in one or two pieces. */
const SMALL_RECORDS = 1_000

/** In bytes; 0 for what is small. */
export function summaryWeight({ fromMs, toMs, resolutionSeconds }: SummaryRequest): number {
  const bytes = ((toMs - fromMs) / (resolutionSeconds * SECOND_MS)) * BUCKET_BYTES
  return bytes < SMALL_BYTES ? 0 : bytes
}

/** In bytes; 0 for what is small. */
export const pageWeight = ({ limit }: PageRequest): number => (limit > SMALL_RECORDS ? PAGE_BYTES : 0)
