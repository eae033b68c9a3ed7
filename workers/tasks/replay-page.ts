// The task that returns the next records of a market in a replay.

import { ANSWERING, countReleased } from '../collect-garbage.ts'
import { type ReplayPageHead, type ReplayPageRequest, replayPage } from '../replay/replay-page.ts'
import type { Task } from '../task.ts'

/** Memory of a task, bytes: one decoded block at a time, and the frames made from it. */
const PAGE_BYTES = 8 * 2 ** 20
const SMALL_RECORDS = 1_000

export const replayPageTask: Task<ReplayPageRequest, ReplayPageHead> = {
  name: 'replay-page',
  weight: ({ limit }) => (limit > SMALL_RECORDS ? PAGE_BYTES : 0),
  async answer(store, request) {
    const { head, frames } = await replayPage(store, request)
    if (request.limit > SMALL_RECORDS) countReleased(PAGE_BYTES, ANSWERING)
    return { head, chunks: frames.values() }
  },
}
