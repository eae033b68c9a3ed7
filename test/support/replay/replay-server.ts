// A server that replays a store, and clients that store the received messages.

import { listen } from '../../../src/http/server/listen.ts'
import { webSockets } from '../../../src/http/sockets/web-socket.ts'
import type { Store } from '../../../storage/open-store.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { AUTHORIZED, fakeAccounts, NO_TOKENS, testApp } from '../server.ts'

export type ReplayServer = Disposable & { url: string; port: number }

/** Serves a store on a plan without limits. Computes the store's answers in this thread. */
export function serveReplay(store: Store): ReplayServer {
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }
  const workers = {
    ...answerInProcess(store),
    stats: () => ({ threads: 1, running: 0, queued: 0, queueMax: 1, completed: 0 }),
  }
  const app = testApp({
    catalogue: store.catalogue,
    workers,
    accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) },
    config: { ...NO_TOKENS, connectionsPerKeyMax: 100 },
  })
  const server = listen(app.fetch, { host: '127.0.0.1', port: 0, webSockets })
  return {
    url: server.url.replace('http', 'ws'),
    port: server.port,
    [Symbol.dispose]: () => {
      app.connections.stop()
      void server.stop(0)
    },
  }
}

export type Closed = { code: number; reason: string }

export class ReplayClient {
  readonly frames: string[] = []
  readonly closed: Promise<Closed>
  readonly opened: Promise<void>
  readonly socket: WebSocket
  #wake = () => {}

  constructor(url: string, options: { headers?: Record<string, string>; protocols?: string[] } = {}) {
    this.socket = new WebSocket(url, { headers: AUTHORIZED, ...options } as never)
    this.socket.onmessage = ({ data }) => {
      this.frames.push(String(data))
      this.#wake()
    }
    this.opened = new Promise((resolve) => this.socket.addEventListener('open', () => resolve()))
    this.closed = new Promise((resolve) => {
      this.socket.onclose = ({ code, reason }) => {
        resolve({ code, reason })
        this.#wake()
      }
    })
  }

  async send(message: object | string): Promise<this> {
    await this.opened
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    return this
  }

  /** Waits until this many frames have arrived, or the connection has ended. */
  async until(count: number): Promise<string[]> {
    while (this.frames.length < count && this.socket.readyState <= WebSocket.OPEN) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.frames
  }

  /** Returns all frames, parsed as JSON. */
  get messages(): Record<string, unknown>[] {
    return this.frames.map((frame) => JSON.parse(frame) as Record<string, unknown>)
  }
}
