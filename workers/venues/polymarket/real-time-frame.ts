// Reads frames of Polymarket's real-time data socket: `topic` and `type` at the top, the body under `payload`. A whole
// book (`agg_orderbook`) equals a book of the REST API exactly. Other frames are skipped.

import { isObject, type JsonObject, type NoRecord } from '../described-message.ts'

const NAME = /^[a-z_]{1,40}$/
const BOOK_TOPIC = 'clob_market'
const USER_TOPIC = 'clob_user'

/** Returns the key under which a frame has its messages, or why the frame is skipped. Returns undefined for anything
 *  else. */
export function realTimeFrame({ topic, type, payload }: JsonObject): { body: 'payload' } | NoRecord | undefined {
  if (typeof topic !== 'string' || !NAME.test(topic) || typeof type !== 'string' || !NAME.test(type)) return undefined
  if (!isObject(payload) && !Array.isArray(payload)) return undefined
  if (topic === BOOK_TOPIC && type === 'agg_orderbook') return { body: 'payload' }
  if (topic === USER_TOPIC) return { skip: `private ${topic}/${type}` }
  return { skip: `real-time frames of ${topic}/${type} (${topic === BOOK_TOPIC ? 'form not read' : 'no book'})` }
}
