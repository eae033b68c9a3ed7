// The task that writes a file of a market's day to a folder. It returns the file's metadata.

import type { DayFileRequest, MadeDayFile } from '../files/day-file.ts'
import { makeDayFile } from '../files/make-day-file.ts'
import type { Task } from '../task.ts'

/** Bytes of memory for a decoded block and its compressed output, or for a group of rows. */
const MAKING_BYTES = 8 * 2 ** 20
/** Bytes of memory per record: the day's blocks and rows of its seconds stay in memory while the file is made. */
const RECORD_BYTES = 16
const SMALL_RECORDS = 1_000
const NO_CHUNK = { done: true, value: undefined } as const

export const dayFileTask: Task<DayFileRequest, MadeDayFile> = {
  name: 'day-file',
  weight: ({ recordCount }) => (recordCount > SMALL_RECORDS ? MAKING_BYTES + recordCount * RECORD_BYTES : 0),
  answer: async (store, request) => ({
    head: await makeDayFile(store, request),
    chunks: { next: () => NO_CHUNK },
  }),
}
