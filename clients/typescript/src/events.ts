// Connects to the live stream with server-sent events, over `fetch`.

import type { Server } from './ask.js'
import type { Carried } from './messages.js'
import type { Connect } from './stream.js'
import { Watch } from './watch.js'

export const eventsOf = (server: Server): Connect =>
  async function* (query, after, signal) {
    const headers = { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) }
    const watch = new Watch(signal)
    try {
      const { body } = await server.send('/stream', query, { headers, signal: watch.signal })
      for await (const line of linesOf(body!, watch)) {
        if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as Carried
      }
    } finally {
      watch.end()
    }
  }

/** Yields whole lines. Drops a line that the end of the connection cuts off. */
async function* linesOf(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      watch.received()
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
