// Follows the commits to markets over the API's event stream. EventSource cannot send a key, so this reads a fetch
// response; after a disconnection it resumes after the last event.

import { ask, type Failure } from '../data/ask.ts'
import { EventLines } from './event-lines.ts'
import type { StreamMessage } from './growth.ts'

export type Follower = {
  /** Receives messages; those that were committed together arrive together. */
  received: (messages: readonly StreamMessage[]) => void
  /** Called with null when the connection works, and with the failure when it fails. After a failure, `followMarkets`
   *  reconnects or stops. */
  changed: (failure: Failure | null) => void
}

/** A server that sends nothing for this long is gone: a running one sends something every 15 s. */
const SILENCE_MS = 40_000
const [RETRY_LEAST_MS, RETRY_MOST_MS] = [1_000, 30_000]
/** Statuses that a retry does not change. */
const FINAL = [400, 401, 403, 404]

/** Follows until `signal` aborts or the server refuses for good. A market is given as `venue:market`. */
export async function followMarkets(
  markets: readonly string[],
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const query = { markets: markets.join(','), channels: 'quotes,trades', after }
      for await (const messages of eventsOf(query, signal)) {
        attempt = 0
        follower.changed(null)
        after = messages.at(-1)?.position ?? after
        follower.received(messages)
      }
    } catch (error) {
      if (signal.aborted) return
      const failure = error as Failure
      follower.changed(failure)
      // If the server no longer knows the position, start anew.
      if (failure.code === 'cursor_invalid' && after !== undefined) after = undefined
      else if (FINAL.includes(failure.status)) return
    }
    const waitMs = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** attempt)
    await new Promise((done) => setTimeout(done, waitMs))
  }
}

async function* eventsOf(
  query: Record<string, string | undefined>,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage[]> {
  const silence = new AbortController()
  const response = await ask('/stream', query, AbortSignal.any([signal, silence.signal]))
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const lines = new EventLines()
  yield []
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const messages = lines.push(value).map(({ data }) => JSON.parse(data) as StreamMessage)
    if (messages.length > 0) yield messages
  }
}
