// A simple client: a socket that sends the given bytes, reads when the test says so, and leaves by FIN or RST.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; head: string; body: Buffer }

export class RawClient {
  readonly socket: Socket
  /** Resolves to `reset` if the other side broke the connection, and to `fin` if it closed it. */
  readonly closed: Promise<'fin' | 'reset'>
  #received: Buffer[] = []
  #size = 0
  #isOver = false
  #wake = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    let isReset = false
    const closed = Promise.withResolvers<'fin' | 'reset'>()
    this.closed = closed.promise
    const over = () => {
      this.#isOver = true
      closed.resolve(isReset ? 'reset' : 'fin')
      this.#wake()
    }
    socket.on('data', (bytes: Buffer) => {
      this.#received.push(bytes)
      this.#size += bytes.length
      this.#wake()
    })
    socket.on('error', () => {
      isReset = true
    })
    socket.on('close', over)
    socket.on('end', over)
  }

  static async dial(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  get size(): number {
    return this.#size
  }

  get isOver(): boolean {
    return this.#isOver
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** Resolves when enough bytes have arrived, or the connection has ended. */
  async until(isEnough: (received: Buffer) => boolean): Promise<Buffer> {
    for (;;) {
      const received = this.#joined()
      if (this.#isOver || isEnough(received)) return received
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Resolves when `size` bytes have arrived, or the connection has ended. */
  async untilSize(size: number): Promise<void> {
    while (!this.#isOver && this.#size < size) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Removes the next answer from the received bytes and returns it. Its body has a length, is chunked, or is absent.
   *  Throws if the connection ends before the answer is complete. */
  async answer(method = 'GET'): Promise<RawAnswer> {
    const received = await this.until((bytes) => bytes.includes('\r\n\r\n'))
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`no answer: ${JSON.stringify(received.toString('latin1').slice(0, 200))}`)
    const head = received.subarray(0, end).toString('latin1')
    const status = Number(head.slice(9, 12))
    this.#keep(received.subarray(end + 4))
    return { status, head, body: await this.#body(head, method === 'HEAD' || status === 204 || status === 304) }
  }

  /** Closes the connection with a FIN or a RST. */
  leave(how: 'fin' | 'reset'): void {
    if (how === 'reset') this.socket.resetAndDestroy()
    else this.socket.destroy()
  }

  async #body(head: string, isBodiless: boolean): Promise<Buffer> {
    if (isBodiless) return Buffer.alloc(0)
    if (/^transfer-encoding: chunked/im.test(head)) return this.#chunked()
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)
    // An answer that the runtime sends itself has no length, and ends with its connection.
    if (Number.isNaN(length)) {
      await this.closed
      return this.#joined()
    }
    await this.untilSize(length)
    const received = this.#joined()
    if (!(received.length >= length)) throw new Error(`${received.length} bytes of ${length}`)
    this.#keep(received.subarray(length))
    return Buffer.from(received.subarray(0, length))
  }

  async #chunked(): Promise<Buffer> {
    const parts: Buffer[] = []
    for (;;) {
      const received = await this.until((bytes) => bytes.includes('\r\n'))
      const lineEnd = received.indexOf('\r\n')
      if (lineEnd === -1) throw new Error('the body has no end')
      const size = Number.parseInt(received.subarray(0, lineEnd).toString(), 16)
      const total = lineEnd + 2 + size + 2
      await this.untilSize(total)
      const all = this.#joined()
      if (all.length < total) throw new Error('the body has no end')
      this.#keep(all.subarray(total))
      if (size === 0) return Buffer.concat(parts)
      parts.push(all.subarray(lineEnd + 2, lineEnd + 2 + size))
    }
  }

  #joined(): Buffer {
    if (this.#received.length !== 1) this.#received = [Buffer.concat(this.#received)]
    return this.#received[0]!
  }

  #keep(bytes: Buffer): void {
    this.#received = [bytes]
    this.#size = bytes.length
  }
}

export const requestText = (path: string, secret: string, more: { method?: string; head?: string } = {}) =>
  `${more.method ?? 'GET'} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n${more.head ?? ''}\r\n`
