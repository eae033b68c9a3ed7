// An address in front of a server, like one that follows the primary of a database. Forwards connections to the current
// target port. A watcher can act before or after a chunk of bytes is passed on.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** Called for a chunk of bytes; false holds back that chunk and everything after it. */
export type Watch = (from: 'client' | 'server') => boolean

export class Door {
  readonly port: number
  /** The port that new connections are forwarded to. */
  target: number
  watch: Watch = () => true
  readonly #sockets = new Set<Socket>()
  readonly #stop: () => Promise<unknown>

  private constructor(target: number, server: ReturnType<typeof createServer>) {
    this.target = target
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#join(socket))
    this.#stop = () => new Promise((resolve) => server.close(resolve))
  }

  static async open(target: number): Promise<Door> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Door(target, server)
  }

  /** Changes the target. Ends open connections. */
  moveTo(target: number): void {
    this.target = target
    this.cut()
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await this.#stop()
  }

  #join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1')
    this.#pass(client, server, 'client')
    this.#pass(server, client, 'server')
  }

  #pass(from: Socket, to: Socket, side: 'client' | 'server'): void {
    this.#sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes) => {
      if (!this.watch(side)) from.pause()
      else if (!to.write(bytes)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
  }
}
