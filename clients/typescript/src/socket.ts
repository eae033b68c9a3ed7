// Connects to the live stream over a WebSocket.

import type { Server } from './ask.js'
import type { Carried } from './messages.js'
import type { Connect } from './stream.js'
import { Watch } from './watch.js'

const PING_MS = 15_000

export function socketMessages(server: Server): Connect {
  if (globalThis.WebSocket === undefined) {
    throw new TypeError("this runtime has no WebSocket, such as Node 20: use over: 'events'")
  }
  return async function* (query, after, signal) {
    // Browsers cannot send the header, so the key is in the URL. The server writes this URL to no log.
    const address = server.address('/stream', { ...query, after, key: server.key })
    const watch = new Watch(signal)
    const carried = new Queue()
    const socket = new WebSocket(address.replace(/^http/, 'ws'))
    let wasOpen = false
    const end = () => carried.end()
    watch.signal.addEventListener('abort', end, { once: true })
    socket.onopen = () => {
      wasOpen = true
    }
    socket.onmessage = ({ data }) => {
      watch.received()
      if (data !== 'PONG') carried.push(JSON.parse(data as string) as Carried)
    }
    socket.onclose = end
    const pings = setInterval(() => wasOpen && socket.send('PING'), PING_MS)
    try {
      yield* carried
      // A refused handshake gives no reason. The refusal of the same request over plain HTTP does.
      if (!wasOpen && !signal.aborted) await assertAccepted(server, query, after, signal)
    } finally {
      clearInterval(pings)
      watch.end()
      socket.close()
    }
  }
}

async function assertAccepted(server: Server, query: object, after: string | undefined, signal: AbortSignal) {
  const headers = { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) }
  const { body } = await server.send('/stream', query, { headers, signal })
  await body?.cancel()
}

/** Holds messages that were received but not read yet. */
class Queue implements AsyncIterable<Carried> {
  readonly #waiting: Carried[] = []
  #isEnded = false
  #wake: () => void = () => undefined

  push(carried: Carried): void {
    this.#waiting.push(carried)
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Carried> {
    for (;;) {
      // Yields what was received before the end.
      const all = this.#waiting.splice(0)
      if (all.length === 0 && this.#isEnded) return
      yield* all
      if (this.#waiting.length > 0 || this.#isEnded) continue
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
