// Tests chunks over a port: they are sent against credits, packed for a slow client, and cancelled when the client
// leaves.

import { expect, test } from 'bun:test'
import { MessageChannel } from 'node:worker_threads'
import { CREDITS, type FromTask, sendChunks, type ToTask } from './chunk-port.ts'

const CHUNKS = 40
const chunkOf = (index: number) => new Uint8Array(50_000).fill(index)

/** Returns the chunks of an answer, and counts the chunks made so far. */
function answer() {
  const state = { made: 0 }
  function* chunks() {
    for (; state.made < CHUNKS; ) {
      state.made += 1
      yield chunkOf(state.made - 1)
    }
  }
  return { state, chunked: { head: 'head', chunks: chunks() } }
}

function wired() {
  const { port1, port2 } = new MessageChannel()
  const messages: FromTask<string>[] = []
  port1.on('message', (message: FromTask<string>) => messages.push(message))
  const say = (word: ToTask) => port1.postMessage(word)
  const close = () => {
    port1.close()
    port2.close()
  }
  const chunksIn = () => messages.filter((message) => message.type === 'chunk').map(({ bytes }) => bytes)
  const isPacked = () => messages.some(({ type }) => type === 'packed')
  return { port: port2, messages, say, chunksIn, isPacked, [Symbol.dispose]: close }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1)
}

test('a client that keeps up gets the chunks as they are made, and none is made ahead', async () => {
  using wire = wired()
  const { state, chunked } = answer()
  const sent = sendChunks(wire.port, chunked)
  for (let taken = 0; taken < CHUNKS; taken++) {
    await until(() => wire.chunksIn().length > taken)
    expect(state.made).toBeLessThanOrEqual(taken + CREDITS + 1)
    wire.say('credit')
  }
  await sent
  await until(() => wire.messages.at(-1)?.type === 'end')
  expect(wire.messages[0]).toEqual({ type: 'head', head: 'head' })
  expect(wire.isPacked()).toBe(false)
  expect(wire.chunksIn()).toEqual(Array.from({ length: CHUNKS }, (_, index) => chunkOf(index)))
})

test('the answer of a slow one is made to its end and packed, and arrives the same', async () => {
  using wire = wired()
  const { state, chunked } = answer()
  const sent = sendChunks(wire.port, chunked)
  await until(() => wire.chunksIn().length === CREDITS)
  wire.say('pack')
  await until(wire.isPacked)
  expect([state.made, wire.chunksIn().length]).toEqual([CHUNKS, CREDITS])
  // The next chunk was made before the client was known to be slow.
  const rest = Array.from({ length: CHUNKS }, (_, index) => chunkOf(index)).slice(CREDITS + 1)
  const packedBytes = rest.reduce((sum, chunk) => sum + Bun.zstdCompressSync(chunk, { level: 1 }).length, 0)
  expect(wire.messages.find(({ type }) => type === 'packed')).toEqual({ type: 'packed', bytes: packedBytes })
  for (let taken = 0; taken < CHUNKS; taken++) {
    wire.say('credit')
    await until(() => wire.chunksIn().length > Math.min(taken + CREDITS, CHUNKS - 1))
  }
  await sent
  expect(wire.chunksIn()).toEqual(Array.from({ length: CHUNKS }, (_, index) => chunkOf(index)))
})

test.each(['before it is packed', 'afterwards'])('a client that leaves %s ends it', async (when) => {
  using wire = wired()
  const { chunked } = answer()
  const sent = sendChunks(wire.port, chunked)
  await until(() => wire.chunksIn().length === CREDITS)
  if (when === 'afterwards') {
    wire.say('pack')
    await until(wire.isPacked)
  }
  wire.say('cancel')
  await sent
  expect(wire.messages.filter(({ type }) => type === 'end')).toEqual([])
})
