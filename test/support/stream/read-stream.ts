// Reads the messages that a stream sends about a market since a position, without a server.

import { expect } from 'bun:test'
import { followMarket, type PieceLimits } from '../../../workers/follow/follow-market.ts'
import { CHANNELS, type Followed, type FollowRequest } from '../../../workers/follow/follow-request.ts'
import type { AnyStore } from '../store.ts'
import type { StreamMessage } from './stream-client.ts'

/** A message, and the position after it. The position is null inside the present state, and between messages of one
 *  channel about the same record. */
export type Sent = { message: StreamMessage; position: Followed | null }

/** Limits that are larger than any market of a test. */
export const WHOLE: PieceLimits = { bytes: 2 ** 20, records: 10_000, step: 256 }

const decoder = new TextDecoder()

/** Returns all messages since a position, and the last position. */
export async function readStream(
  { store }: AnyStore,
  of: Omit<FollowRequest, 'from'>,
  from: Followed | null,
  limits: PieceLimits,
): Promise<{ sent: Sent[]; position: Followed }> {
  const sent: Sent[] = []
  for (let position = from; ; ) {
    const { head, bytes } = await followMarket(store, { ...of, from: position }, limits)
    const { kind, channels, records, starts, ends, to } = head
    starts.forEach((start, i) => {
      const text = `{"channel":"${CHANNELS[channels[i]!]}",${decoder.decode(bytes.subarray(start, ends[i]))}`
      const isState = kind !== 'changes'
      const isSameRecord = records[i + 1] === records[i] && channels[i + 1] === channels[i]
      const after = to === 'nothing' ? to : isSameRecord ? null : { ...to, record: records[i]!, step: channels[i]! + 1 }
      const state = i === starts.length - 1 ? to : null
      sent.push({ message: JSON.parse(text) as StreamMessage, position: isState ? state : after })
    })
    if (position !== null && kind === 'changes') expect(comparePositions(position, to)).toBeLessThanOrEqual(0)
    position = to
    if (head.isEnd) return { sent, position }
  }
}

/** Compares two positions of a market: negative if `one` is before `other`. */
function comparePositions(one: Followed, other: Followed): number {
  if (one === 'nothing' || other === 'nothing') return one === other ? 0 : one === 'nothing' ? -1 : 1
  if (one.date !== other.date) return one.date < other.date ? -1 : 1
  return one.record - other.record || one.step - other.step
}
