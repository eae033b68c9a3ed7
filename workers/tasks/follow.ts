// The task that returns what is stored of a market after a position.

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
