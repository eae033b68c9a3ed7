// The server's end of an answer. If the client is slow, the server requests once that the task packs the rest.

import { expect, spyOn, test } from 'bun:test'
import { MessageChannel } from 'node:worker_threads'
import { CREDITS, type FromTask, type ToTask } from './chunk-port.ts'
import { IncomingAnswer } from './incoming-answer.ts'

const never = new Promise<never>(() => undefined)

async function begun(patienceMs: number) {
  const { port1, port2 } = new MessageChannel()
  const words: ToTask[] = []
  port2.on('message', (word: ToTask) => words.push(word))
  const signals: string[] = []
  const incoming = new IncomingAnswer<object>(port1, {
    patienceMs,
    onPacked: (bytes) => signals.push(`packed in ${bytes}`),
  })
  const say = (message: FromTask<object>) => port2.postMessage(message)
  say({ type: 'head', head: { dataPoints: 1 } })
  const { data } = await incoming.answer(never)
  if ('bytes' in data) throw new Error('the answer comes in chunks')
  data.follow?.({ slow: () => signals.push('slow'), cut: () => signals.push('cut') })
  const chunk = () => say({ type: 'chunk', bytes: new Uint8Array(3) })
  const close = () => {
    port1.close()
    port2.close()
  }
  return { incoming, words, signals, say, chunk, chunks: data.chunks, [Symbol.dispose]: close }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('a client that takes none of the allowed chunks is slow: the rest is packed, and the room released', async () => {
  using wire = await begun(0)
  for (let each = 0; each < CREDITS; each++) wire.chunk()
  await until(() => wire.words.includes('pack'))
  expect(wire.signals).toEqual(['slow'])
  wire.say({ type: 'packed', bytes: 7 })
  await until(() => wire.signals.length === 2)
  expect(wire.signals).toEqual(['slow', 'packed in 7'])
  for (let each = 0; each < CREDITS; each++) await wire.chunks.next()
  for (let each = 0; each < CREDITS; each++) wire.chunk()
  await until(() => wire.incoming.stalledSinceMs !== null)
  expect(wire.words.filter((word) => word === 'pack')).toEqual(['pack'])
})

test('a client that takes them is not', async () => {
  using wire = await begun(60_000)
  for (let each = 0; each < 20; each++) {
    for (let chunk = 0; chunk < CREDITS; chunk++) wire.chunk()
    for (let chunk = 0; chunk < CREDITS; chunk++) await wire.chunks.next()
  }
  expect([wire.signals, wire.words.includes('pack'), wire.incoming.stalledSinceMs]).toEqual([[], false, null])
})

test('a thread that was busy beyond the patience sets no timer below 0, of which the runtime warns', async () => {
  const timer = spyOn(globalThis, 'setTimeout')
  using wire = await begun(1)
  for (let each = 0; each < CREDITS; each++) wire.chunk()
  await until(() => wire.incoming.stalledSinceMs !== null)
  Bun.sleepSync(20)
  await wire.chunks.next()
  wire.chunk()
  await until(() => wire.words.includes('pack'))
  const delays = timer.mock.calls.map(([, ms]) => Number(ms))
  timer.mockRestore()
  expect(delays).toEqual([1, 0])
})
