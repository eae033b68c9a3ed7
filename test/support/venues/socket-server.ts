// A WebSocket server that controls every byte. It writes the frames itself (RFC 6455), so that a test can leave a Ping
// unanswered, stop in the middle of a frame, or send nothing at all.

import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'

export type Upgrade = { path: string; query: URLSearchParams; headers: Record<string, string> }

/** A refusal during the handshake. */
export type Refusal = { status: number; headers?: Record<string, string>; body?: string }

export type SocketHandlers = {
  /** Returns the refusal of a handshake; undefined accepts it. */
  refuse?(upgrade: Upgrade): Refusal | undefined
  open(socket: RawSocket, upgrade: Upgrade): void
  text(socket: RawSocket, message: string): void
  /** Called for a Ping of the client. The server answers it unless `isSilent`. */
  ping?(socket: RawSocket): void
  pong?(socket: RawSocket, payload: string): void
  close?(socket: RawSocket): void
}

const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const
const HANDSHAKE_KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export class RawSocket {
  /** Whether the socket answers nothing: no Ping, no close. */
  isSilent = false
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  text(message: string): void {
    this.#write(frameOf(OPCODE.text, Buffer.from(message)))
  }

  ping(payload: string): void {
    this.#write(frameOf(OPCODE.ping, Buffer.from(payload)))
  }

  pong(payload: Uint8Array): void {
    this.#write(frameOf(OPCODE.pong, payload))
  }

  /** Sends the first `bytes` of the frame of this message. What is sent next looks like its rest. */
  partOf(message: string, bytes: number): void {
    this.#write(frameOf(OPCODE.text, Buffer.from(message)).subarray(0, bytes))
  }

  close(code: number, reason = ''): void {
    this.#write(frameOf(OPCODE.close, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)])))
    this.#socket.end()
  }

  /** Ends the TCP connection without a closing frame. */
  drop(): void {
    this.#socket.destroy()
  }

  #write(bytes: Uint8Array): void {
    if (this.isOpen) this.#socket.write(bytes)
  }
}

export type SocketServer = { port: number; sockets: ReadonlySet<RawSocket>; stop(): Promise<void> }

/** Listens on a free port of loopback. */
export async function socketServer(handlers: SocketHandlers): Promise<SocketServer> {
  const sockets = new Set<RawSocket>()
  const connections = new Set<Socket>()
  const server = createServer((connection) => {
    connections.add(connection)
    connection.setNoDelay(true)
    connection.on('error', () => connection.destroy())
    let opened: RawSocket | undefined
    connection.on('close', () => {
      connections.delete(connection)
      if (opened === undefined) return
      sockets.delete(opened)
      handlers.close?.(opened)
    })
    readHandshake(connection, (upgrade, rest) => {
      const refusal = handlers.refuse?.(upgrade)
      if (refusal !== undefined) return refuse(connection, refusal)
      connection.write(accepted(upgrade))
      const socket = new RawSocket(connection)
      opened = socket
      sockets.add(socket)
      readFrames(connection, rest, (opcode, payload) => take(handlers, socket, opcode, payload))
      handlers.open(socket, upgrade)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    sockets,
    async stop() {
      for (const connection of connections) connection.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function take(handlers: SocketHandlers, socket: RawSocket, opcode: number, payload: Buffer): void {
  if (opcode === OPCODE.text) handlers.text(socket, payload.toString())
  if (opcode === OPCODE.pong) handlers.pong?.(socket, payload.toString())
  if (socket.isSilent) return
  if (opcode === OPCODE.ping) {
    socket.pong(payload)
    handlers.ping?.(socket)
  }
  if (opcode === OPCODE.close) socket.close(payload.length < 2 ? 1000 : payload.readUInt16BE(0))
}

function readHandshake(connection: Socket, done: (upgrade: Upgrade, rest: Buffer) => void): void {
  let head = Buffer.alloc(0)
  const take = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    connection.off('data', take)
    const [first = '', ...lines] = head.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const url = new URL(first.split(' ')[1] ?? '/', 'http://127.0.0.1')
    done({ path: url.pathname, query: url.searchParams, headers }, head.subarray(end + 4))
  }
  connection.on('data', take)
}

function readFrames(connection: Socket, first: Buffer, take: (opcode: number, payload: Buffer) => void): void {
  let waiting = first
  let parts: Buffer[] = []
  const read = (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let frame = frameIn(waiting); frame !== undefined; frame = frameIn(waiting)) {
      waiting = waiting.subarray(frame.bytes)
      if (frame.opcode > 2) {
        take(frame.opcode, frame.payload)
        continue
      }
      parts.push(frame.payload)
      if (!frame.isLast) continue
      take(OPCODE.text, Buffer.concat(parts))
      parts = []
    }
  }
  connection.on('data', read)
  read(Buffer.alloc(0))
}

/** Returns the first frame of a client, whose payload is masked; undefined if it is incomplete. */
function frameIn(bytes: Buffer) {
  if (bytes.length < 6) return undefined
  const short = bytes[1]! & 127
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const start = 2 + lengthBytes + 4
  if (bytes.length < start) return undefined
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < start + length) return undefined
  const mask = bytes.subarray(start - 4, start)
  const payload = Buffer.from(bytes.subarray(start, start + length))
  for (let at = 0; at < payload.length; at++) payload[at] = payload[at]! ^ mask[at & 3]!
  return { opcode: bytes[0]! & 15, isLast: (bytes[0]! & 128) !== 0, payload, bytes: start + length }
}

function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 128 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

function accepted({ headers }: Upgrade): string {
  const key = createHash('sha1').update(`${headers['sec-websocket-key']}${HANDSHAKE_KEY}`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`
}

function refuse(connection: Socket, { status, headers = {}, body = '' }: Refusal): void {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  connection.end(`HTTP/1.1 ${status} Refused\r\n${head}\r\n${body}`)
}
