// The task that returns a page of raw records.

import { answerPage } from '../read/answer-page.ts'
import type { PageHead, PageRequest } from '../requests.ts'
import type { Task } from '../task.ts'

/** Memory of a task, bytes: one decoded block at a time, and the output written from it. */
const PAGE_BYTES = 8 * 2 ** 20
/** A page of up to this many records is sent in one or two chunks. */
const SMALL_RECORDS = 1_000

export const pageTask: Task<PageRequest, PageHead> = {
  name: 'page',
  weight: ({ limit }) => (limit > SMALL_RECORDS ? PAGE_BYTES : 0),
  answer: answerPage,
}
