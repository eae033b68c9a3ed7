// The protocol over two streams: each line is a message or is refused, and the end waits for the answers.

import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { LineTransport } from './line-transport.ts'

async function begun() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = new LineTransport(input, output)
  const messages: JSONRPCMessage[] = []
  const received: (() => void)[] = []
  const own = transport.onmessage!
  transport.onmessage = (message) => {
    own(message)
    messages.push(message)
    received.shift()?.()
  }
  await transport.start()
  let hasEnded = false
  void transport.ended.then(() => {
    hasEnded = true
  })
  return {
    ...{ transport, input, messages, hasEnded: () => hasEnded },
    next: () => new Promise<void>((resolve) => received.push(resolve)),
    answers: async () => JSON.parse(String((await output.iterator({ destroyOnReturn: false }).next()).value)),
  }
}

const request = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}`
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const

test('the end of the input waits for the answers of all requests', async () => {
  const { transport, input, messages, next, hasEnded } = await begun()
  let seen = next()
  input.write(`${request(1)}\n`)
  await seen
  seen = next()
  // The last line has no end.
  input.end(request(2))
  await seen
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }])
  await transport.send(answer(1))
  // The end of the input is seen some turns after its last line.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(hasEnded()).toBe(false)
  await transport.send(answer(2))
  await transport.ended
})

test('a request that is cancelled is not waited for, and a notification has no answer', async () => {
  const { transport, input } = await begun()
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  input.end(`${request(1)}\n${JSON.stringify(cancelled)}\n`)
  await transport.ended
})

test.each([
  ['{', { code: -32700, message: 'Parse error: a line must be one message of JSON' }],
  ['{"a":1}', { code: -32600, message: 'Invalid request: a line must be one message of JSON-RPC 2.0' }],
])('the line %p is refused', async (line, error) => {
  const { transport, input, answers } = await begun()
  input.end(`${line}\n`)
  expect(await answers()).toEqual({ jsonrpc: '2.0', id: null, error })
  await transport.ended
})
