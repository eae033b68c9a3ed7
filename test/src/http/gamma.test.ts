// Goal: a slug that is not stored is asked for once, at a local server that answers as Gamma does.

import { expect, test } from 'bun:test'
import { askGamma } from '../../../src/http/gamma.ts'
import type { SlugAnswer } from '../../../storage/catalogue.ts'

const EVENT = { slug: 'rain', title: 'Rain?', markets: [] }
const ANSWER: SlugAnswer = { event: { slug: 'rain', title: 'Rain?' }, markets: [] }

/** Runs with a Gamma that answers paths from a table; `asked` are the paths it was asked. */
async function withGamma(
  answers: Record<string, unknown>,
  run: (ask: (slug: string) => Promise<SlugAnswer | undefined>, asked: string[], stored: unknown[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const stored: unknown[] = []
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      asked.push(pathname + search)
      const answer = answers[pathname + search]
      return answer === undefined ? new Response('[]') : Response.json(answer)
    },
  })
  const find = () => (stored.length > 0 ? ANSWER : undefined)
  try {
    const store = (document: unknown) => void stored.push(document)
    await run(askGamma({ url: `http://127.0.0.1:${gamma.port}`, store, find }), asked, stored)
  } finally {
    await gamma.stop(true)
  }
}

test('an event is found, stored and answered', () =>
  withGamma({ '/events?slug=rain': [EVENT] }, async (ask, asked, stored) => {
    expect(await ask('rain')).toEqual(ANSWER)
    expect(stored).toEqual([EVENT])
    expect(asked).toEqual(['/events?slug=rain'])
  }))

test('a market is asked for where there is no event', () =>
  withGamma({ '/markets?slug=rain-80': [{ slug: 'rain-80' }] }, async (ask, asked) => {
    expect(await ask('rain-80')).toEqual(ANSWER)
    expect(asked).toEqual(['/events?slug=rain-80', '/markets?slug=rain-80'])
  }))

test('requests at the same time ask once, and so do those after an unknown slug', () =>
  withGamma({}, async (ask, asked) => {
    expect(await Promise.all([ask('none'), ask('none')])).toEqual([undefined, undefined])
    expect(await ask('none')).toBeUndefined()
    expect(asked).toEqual(['/events?slug=none', '/markets?slug=none'])
  }))

test('a Gamma that is not there is a slug that is not found', async () => {
  const ask = askGamma({ url: 'http://127.0.0.1:1', store: () => {}, find: () => undefined })
  expect(await ask('rain')).toBeUndefined()
})

test('an answer without an end is not read to it', async () => {
  let sentBytes = 0
  const megabyte = new Uint8Array(1 << 20).fill(0x20)
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sentBytes += megabyte.length
            controller.enqueue(megabyte)
            await Bun.sleep(1)
          },
        }),
      ),
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, store: () => undefined, find: () => undefined })
    expect(await ask('rain')).toBeUndefined()
    expect(sentBytes).toBeGreaterThan(16 << 20)
    expect(sentBytes).toBeLessThan(64 << 20)
  } finally {
    await gamma.stop(true)
  }
})

test('an answer elsewhere is not followed there', async () => {
  const asked: string[] = []
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return Response.redirect('/latest/meta-data', 302)
    },
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, store: () => undefined, find: () => undefined })
    expect(await ask('rain')).toBeUndefined()
    expect(asked).toEqual(['/events'])
  } finally {
    await gamma.stop(true)
  }
})

test('of many different slugs at once, a few are asked for and the others told to come again', async () => {
  let asked = 0
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      asked++
      await release
      return new Response('[]')
    },
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, store: () => undefined, find: () => undefined })
    const answers = Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(`slug-${n}`)))
    const again = ask('slug-0')
    while (asked < 32) await Bun.sleep(1)
    resolve()
    const refused = (await answers).filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(168)
    expect(refused.every(({ reason }) => reason.code === 'overloaded')).toBe(true)
    expect(await again).toBeUndefined()
    expect(asked).toBe(64)
    // Room is free again.
    expect(await ask('slug-199')).toBeUndefined()
  } finally {
    await gamma.stop(true)
  }
})
