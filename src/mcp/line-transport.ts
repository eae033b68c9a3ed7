// The protocol over two streams, one message per line. Pending requests are still answered when the input ends, and a
// line that is not a message is refused.

import { Readable, type Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const PARSE_ERROR = { code: -32700, message: 'Parse error: a line must be one message of JSON' }
const INVALID_REQUEST = { code: -32600, message: 'Invalid request: a line must be one message of JSON-RPC 2.0' }

export class LineTransport extends StdioServerTransport {
  readonly #pending = new Set<unknown>()
  readonly #done = Promise.withResolvers<void>()
  #hasEnded = false

  constructor(input: AsyncIterable<Uint8Array>, output: Writable) {
    const lines = Readable.from(wholeLines(input))
    super(lines, output)
    lines.once('end', () => {
      this.#hasEnded = true
      this.#endIfAnswered()
    })
    // The server keeps these handlers, and calls them before its own.
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#pending.add(message.id)
      if ('method' in message && message.method === 'notifications/cancelled') {
        this.#pending.delete(message.params?.['requestId'])
        this.#endIfAnswered()
      }
    }
    this.onerror = ({ name }) => {
      const error = name === 'SyntaxError' ? PARSE_ERROR : name === 'ZodError' ? INVALID_REQUEST : undefined
      if (error !== undefined) void this.send({ jsonrpc: '2.0', id: null, error } as unknown as JSONRPCMessage)
    }
    this.onclose = this.#done.resolve
  }

  /** Resolves when the input has ended and all its requests are answered, or when the connection is closed. */
  get ended(): Promise<void> {
    return this.#done.promise
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if ('method' in message) return
    this.#pending.delete(message.id)
    this.#endIfAnswered()
  }

  #endIfAnswered(): void {
    if (this.#hasEnded && this.#pending.size === 0) this.#done.resolve()
  }
}

/** Adds a line end to a last line without one. */
async function* wholeLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: number | undefined
  for await (const bytes of input) {
    yield bytes
    last = bytes.at(-1)
  }
  if (last !== undefined && last !== '\n'.charCodeAt(0)) yield Buffer.from('\n')
}
