// Chunks over a port: paid for with credits, packed for a client that is slow, given up when it leaves.

import { expect, test } from 'bun:test'
import { MessageChannel } from 'node:worker_threads'
import { CREDITS, type FromTask, type OnSlow, sendChunks, type ToTask } from '../../../workers/pool/chunk-port.ts'
import { packChunks } from '../../../workers/pool/packed-chunks.ts'

const CHUNKS = 40
const chunkOf = (index: number) => new Uint8Array(50_000).fill(index)

/** The chunks of an answer, and how many of them were made so far. */
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
  return { port: port2, messages, say, chunksIn, [Symbol.dispose]: close }
}

/** Packs the answers of slow clients, and counts them. */
function packer() {
  const state = { count: 0 }
  const onSlow: OnSlow = async (rest) => {
    const chunks = await packChunks(rest)
    state.count++
    return chunks
  }
  return Object.assign(state, { onSlow })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1)
}

test('a client that keeps up gets the chunks as they are made, none of them ahead', async () => {
  using wire = wired()
  const { state, chunked } = answer()
  const packing = packer()
  const sent = sendChunks(wire.port, chunked, packing.onSlow)
  for (let taken = 0; taken < CHUNKS; taken++) {
    await until(() => wire.chunksIn().length > taken)
    expect(state.made).toBeLessThanOrEqual(taken + CREDITS + 1)
    wire.say('credit')
  }
  await sent
  await until(() => wire.messages.at(-1)?.type === 'end')
  expect([wire.messages[0], packing.count]).toEqual([{ type: 'head', head: 'head' }, 0])
  expect(wire.chunksIn()).toEqual(Array.from({ length: CHUNKS }, (_, index) => chunkOf(index)))
})

test('the answer of a slow one is made to its end and packed, and arrives the same', async () => {
  using wire = wired()
  const { state, chunked } = answer()
  const packing = packer()
  const sent = sendChunks(wire.port, chunked, packing.onSlow)
  await until(() => packing.count > 0)
  expect([state.made, wire.chunksIn().length]).toEqual([CHUNKS, CREDITS])
  for (let taken = 0; taken < CHUNKS; taken++) {
    wire.say('credit')
    await until(() => wire.chunksIn().length > Math.min(taken + CREDITS, CHUNKS - 1))
  }
  await sent
  expect(wire.chunksIn()).toEqual(Array.from({ length: CHUNKS }, (_, index) => chunkOf(index)))
  expect(packing.count).toBe(1)
})

test.each(['before it is packed', 'afterwards'])('a client that leaves %s ends it', async (when) => {
  using wire = wired()
  const { chunked } = answer()
  const packing = packer()
  const sent = sendChunks(wire.port, chunked, packing.onSlow)
  await until(() => (when === 'afterwards' ? packing.count > 0 : wire.chunksIn().length === CREDITS))
  wire.say('cancel')
  await sent
  expect(wire.messages.filter(({ type }) => type === 'end')).toEqual([])
})
