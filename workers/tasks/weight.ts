// Computes weights of tasks.

import { SECOND_MS } from '../../storage/units.ts'
import type { SummaryRequest } from '../requests.ts'

const SMALL_BYTES = 2 ** 20

/** Returns the weight of an answer of this size; 0 for a small answer. */
export const weightOf = (bytes: number): number => (bytes < SMALL_BYTES ? 0 : bytes)

type Buckets = Pick<SummaryRequest, 'fromMs' | 'toMs' | 'resolutionSeconds'>

export const bucketsIn = ({ fromMs, toMs, resolutionSeconds }: Buckets): number =>
  (toMs - fromMs) / (resolutionSeconds * SECOND_MS)
