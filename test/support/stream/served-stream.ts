// A store that grows, a server over it, and clients of its streams.

import type { AppDependencies } from '../../../src/app.ts'
import { listen } from '../../../src/http/server/listen.ts'
import { webSockets } from '../../../src/http/sockets/web-socket.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { AUTHORIZED, testApp } from '../server.ts'
import { TestStore } from '../store.ts'
import type { StreamMessage } from './stream-client.ts'

export type MarketMessage = StreamMessage & { venue: 'kalshi' | 'polymarket'; market: string; position: string }

export type StreamReader = {
  /** Resolves to the next message, in the order of arrival. */
  next(): Promise<MarketMessage>
  /** Resolves to the messages up to and including the first one for which `isLast` is true. */
  until(isLast: (message: MarketMessage) => boolean): Promise<MarketMessage[]>
  close(): Promise<void>
  /** Resolves to the close code when the WebSocket has ended. */
  ended: Promise<number>
}

export class ServedStream implements AsyncDisposable {
  readonly store = new TestStore()
  readonly url: string
  readonly #server: ReturnType<typeof listen>
  readonly #readers: StreamReader[] = []
  /** The requests that the workers received. */
  readonly requests: { channels: readonly string[]; market: string }[] = []

  constructor(changes: Partial<AppDependencies> = {}) {
    const { ask } = answerInProcess(this.store.store)
    const workers: AppDependencies['workers'] = {
      ask: (task, request) => {
        this.requests.push(request as never)
        return ask(task, request)
      },
      stats: () => ({ threads: 1, running: 0, queued: 0, queueMax: 1, completed: 0 }),
    }
    const app = testApp({ catalogue: this.store.store.catalogue, workers, ...changes })
    this.#server = listen(app.fetch, { host: '127.0.0.1', port: 0, webSockets })
    this.url = this.#server.url
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: { ...AUTHORIZED, ...headers } })
  }

  webSocket(query: string): StreamReader {
    const queue = new MessageQueue()
    const ended = Promise.withResolvers<number>()
    const options = { headers: AUTHORIZED } as never
    const ws = new WebSocket(`${this.url.replace('http', 'ws')}/stream?${query}`, options)
    ws.onmessage = ({ data }) => queue.add(JSON.parse(String(data)) as MarketMessage)
    ws.onclose = ({ code }) => ended.resolve(code)
    const close = async () => {
      ws.close()
      await ended.promise
    }
    return this.#tracked({ ...queue.reading(), close, ended: ended.promise })
  }

  async events(query: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    const queue = new MessageQueue()
    const controller = new AbortController()
    const response = await fetch(`${this.url}/stream?${query}`, {
      headers: { ...AUTHORIZED, ...headers },
      signal: controller.signal,
    })
    if (response.status !== 200) throw new Error(await response.text())
    const reading = readEvents(response.body!, (message) => queue.add(message)).catch(() => undefined)
    const close = async () => {
      controller.abort()
      await reading
    }
    return this.#tracked({ ...queue.reading(), close, ended: reading.then(() => 0) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.#readers) await reader.close()
    await this.#server.stop(0)
    await this.store.close()
  }

  #tracked(reader: StreamReader): StreamReader {
    this.#readers.push(reader)
    return reader
  }
}

/** Reads events, and adds each message. Checks that the id of each event is the id in its message. */
async function readEvents(body: ReadableStream<Uint8Array>, add: (message: MarketMessage) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop()!
    for (const part of parts) {
      const { id, data } = /^id: (?<id>\S+)\ndata: (?<data>.*)$/.exec(part)?.groups ?? {}
      if (data === undefined) continue
      const message = JSON.parse(data) as MarketMessage
      if (message.position !== id) throw new Error(`an event has another id than its message: ${part}`)
      add(message)
    }
  }
}

class MessageQueue {
  readonly #arrived: MarketMessage[] = []
  readonly #waiting: ((message: MarketMessage) => void)[] = []

  add(message: MarketMessage): void {
    const taker = this.#waiting.shift()
    if (taker === undefined) this.#arrived.push(message)
    else taker(message)
  }

  reading(): Pick<StreamReader, 'next' | 'until'> {
    const next = () => {
      const message = this.#arrived.shift()
      if (message !== undefined) return Promise.resolve(message)
      return new Promise<MarketMessage>((resolve) => void this.#waiting.push(resolve))
    }
    const until = async (isLast: (message: MarketMessage) => boolean) => {
      for (const messages: MarketMessage[] = []; ; ) {
        messages.push(await next())
        if (isLast(messages.at(-1)!)) return messages
      }
    }
    return { next, until }
  }
}
