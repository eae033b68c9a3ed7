// A page of raw records.

import { answerPage } from '../read/answer-page.ts'
import type { PageHead, PageRequest } from '../requests.ts'
import type { Task } from '../task.ts'

/** Of a decoded block, of which a page holds one at a time, and of what is written from it. */
const PAGE_BYTES = 8 * 2 ** 20
/** A page of fewer records is sent in one or two pieces. */
const SMALL_RECORDS = 1_000

export const pageTask: Task<PageRequest, PageHead> = {
  name: 'page',
  weight: ({ limit }) => (limit > SMALL_RECORDS ? PAGE_BYTES : 0),
  answer: answerPage,
}
