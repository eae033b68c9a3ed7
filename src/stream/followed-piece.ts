// Requests a piece of a market's stream from the workers, and builds the messages that clients receive.

import { CHANNELS, type Channel, type FollowHead, type FollowRequest } from '../../workers/follow/follow-request.ts'
import type { AnswerBytes, Workers } from '../../workers/requests.ts'
import { followTask } from '../../workers/tasks/follow.ts'
import type { Place } from './stream-position.ts'

/** `id` is the event's id if the message is sent as a server-sent event. */
export type StreamMessage = { text: string; id: string }

export type FollowedPiece = FollowHead & { request: FollowRequest; bytes: Buffer }

/** Requests a piece. Rejects with DataError. */
export async function askPiece(workers: Pick<Workers, 'ask'>, request: FollowRequest): Promise<FollowedPiece> {
  const { data, ...head } = await workers.ask(followTask, request)
  return { ...head, request, bytes: await wholeOf(data) }
}

async function wholeOf(data: AnswerBytes): Promise<Buffer> {
  if ('bytes' in data) return Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.length)
  const chunks: Uint8Array[] = []
  for await (const chunk of data.chunks) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the messages of the wanted channels. `positionAt` seals the position after a message. */
export function messagesOf(
  piece: FollowedPiece,
  channels: readonly Channel[],
  positionAt: (place: Place) => string,
): StreamMessage[] {
  const { venue, market } = piece.request
  const wanted: number[] = []
  piece.channels.forEach((channel, i) => {
    if (channels.includes(CHANNELS[channel]!)) wanted.push(i)
  })
  return wanted.map((i, n) => {
    const channel = CHANNELS[piece.channels[i]!]!
    const id = positionAt(placeAfter(piece, i, n === wanted.length - 1))
    const rest = piece.bytes.toString('utf8', piece.starts[i]!, piece.ends[i]!)
    const text = `{"venue":"${venue}","market":"${market}","channel":"${channel}","position":"${id}",${rest}`
    return { text, id }
  })
}

/** Returns the position after message `i`. A client that reconnects at this position continues after the message,
 *  with two exceptions. If the connection broke within the messages of a present state, the client receives the whole
 *  state again. If it broke within a channel's messages about one record, the client receives all of these messages
 *  again. */
function placeAfter({ kind, to, records, channels }: FollowedPiece, i: number, isLast: boolean): Place {
  if (kind !== 'changes') return isLast ? to : null
  if (to === 'nothing') return to
  const isSameRecord = records[i + 1] === records[i] && channels[i + 1] === channels[i]
  return { ...to, record: records[i]!, step: channels[i]! + (isSameRecord ? 0 : 1) }
}
