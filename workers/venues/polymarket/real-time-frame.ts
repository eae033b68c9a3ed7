// Frames of Polymarket's real-time data socket: `topic` and `type` at the top, the body under `payload`. A whole book
// (`agg_orderbook`) is a book of the REST API to the letter. No other frame is read.

import { isObject, type JsonObject, type NoRecord } from '../described-message.ts'

const NAME = /^[a-z_]{1,40}$/
const BOOK_TOPIC = 'clob_market'
const USER_TOPIC = 'clob_user'

/** Where the messages of a frame are, or what it is; undefined for anything else. */
export function realTimeFrame({ topic, type, payload }: JsonObject): { body: 'payload' } | NoRecord | undefined {
  if (typeof topic !== 'string' || !NAME.test(topic) || typeof type !== 'string' || !NAME.test(type)) return undefined
  if (!isObject(payload) && !Array.isArray(payload)) return undefined
  if (topic === BOOK_TOPIC && type === 'agg_orderbook') return { body: 'payload' }
  if (topic === USER_TOPIC) return { skip: `private ${topic}/${type}` }
  return { skip: `real-time frames of ${topic}/${type} (${topic === BOOK_TOPIC ? 'form not read' : 'no book'})` }
}
