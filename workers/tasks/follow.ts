// The task that returns the data of a market that was stored since a position.

import { followMarket } from '../follow/follow-market.ts'
import type { FollowHead, FollowRequest } from '../follow/follow-request.ts'
import type { Task } from '../task.ts'

export const followTask: Task<FollowRequest, FollowHead> = {
  name: 'follow',
  weight: () => 0,
  async answer(store, request) {
    const { head, bytes } = await followMarket(store, request)
    return { head, chunks: [bytes].values() }
  },
}
