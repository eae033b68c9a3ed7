// Goal: a slug that is not stored is looked up once, at a local server that answers like Gamma.

import { describe, expect, setSystemTime, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { SlugAnswer } from '../../storage/catalogue.ts'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import { askGamma } from './gamma.ts'

const EVENT = { slug: 'rain', title: 'Rain?', markets: [] }
const MARKET = { slug: 'rain-80', question: 'Rain?', conditionId: `0x${'ab'.repeat(32)}` }
const ANSWER: SlugAnswer = { event: { slug: 'rain', title: 'Rain?' }, markets: [] }

/** Runs with a Gamma server that answers paths from a table; `requests` holds the requested paths. */
async function withGamma(
  answers: Record<string, unknown>,
  run: (
    ask: (slug: string) => Promise<SlugAnswer | undefined>,
    requests: string[],
    stored: unknown[],
    url: string,
  ) => Promise<void>,
): Promise<void> {
  const requests: string[] = []
  const stored: unknown[] = []
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push(pathname + search)
      const answer = answers[pathname + search]
      return answer === undefined ? new Response('[]') : Response.json(answer)
    },
  })
  try {
    const keep = (documents: unknown[]) => void stored.push(...documents)
    const url = `http://127.0.0.1:${gamma.port}`
    await run(askGamma({ url, keep }), requests, stored, url)
  } finally {
    await gamma.stop(true)
  }
}

test('an event is found, stored and answered', () =>
  withGamma({ '/events?slug=rain': [EVENT] }, async (ask, requests, stored) => {
    expect(await ask('rain')).toEqual(ANSWER)
    expect(stored).toEqual([EVENT])
    expect(requests).toEqual(['/events?slug=rain'])
  }))

test('any slug is escaped into one value of the query', () =>
  withGamma({}, async (ask, requests) => {
    for (const slug of ['-_.a', '../markets?slug=b&c#d\r\né']) await ask(slug)
    const encoded = '..%2Fmarkets%3Fslug%3Db%26c%23d%0D%0A%C3%A9'
    const slugs = ['-_.a', encoded].flatMap((slug) => [`/events?slug=${slug}`, `/markets?slug=${slug}`])
    expect(requests).toEqual(slugs)
  }))

test('an answer is remembered, with the slugs of its markets, while it is not stored yet', () =>
  withGamma({ '/events?slug=rain': [{ ...EVENT, markets: [MARKET] }] }, async (ask, requests, stored) => {
    const { event, markets } = (await ask('rain'))!
    expect(await ask('rain-80')).toEqual({ event, markets })
    expect(await ask('rain')).toEqual({ event, markets })
    expect(requests).toHaveLength(1)
    expect(stored).toHaveLength(1)
  }))

test('requests a market if there is no event', () =>
  withGamma({ '/markets?slug=rain-80': [MARKET] }, async (ask, requests) => {
    const { slug, question, conditionId } = MARKET
    const market = { question, conditionId, slug, asset_ids: [], outcomes: [] }
    expect(await ask('rain-80')).toEqual({ event: null, markets: [market] })
    expect(requests).toEqual(['/events?slug=rain-80', '/markets?slug=rain-80'])
  }))

test('concurrent lookups send one request, and an unknown slug is not requested again at once', () =>
  withGamma({}, async (ask, requests) => {
    expect(await Promise.all([ask('none'), ask('none')])).toEqual([undefined, undefined])
    expect(await ask('none')).toBeUndefined()
    expect(requests).toEqual(['/events?slug=none', '/markets?slug=none'])
  }))

test('if Gamma cannot be reached, the slug is unknown', async () => {
  const ask = askGamma({ url: 'http://127.0.0.1:1', keep: () => {} })
  expect(await ask('rain')).toBeUndefined()
})

test('an endless answer is not read on', async () => {
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
            await new Promise(setImmediate)
          },
        }),
      ),
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, keep: () => undefined })
    expect(await ask('rain')).toBeUndefined()
    expect(sentBytes).toBeGreaterThan(16 << 20)
    expect(sentBytes).toBeLessThan(64 << 20)
  } finally {
    await gamma.stop(true)
  }
})

test('a redirection is not followed', async () => {
  const requests: string[] = []
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      requests.push(new URL(request.url).pathname)
      return Response.redirect('/latest/meta-data', 302)
    },
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, keep: () => undefined })
    expect(await ask('rain')).toBeUndefined()
    expect(requests).toEqual(['/events'])
  } finally {
    await gamma.stop(true)
  }
})

test('of many different slugs at once, a few are requested and the others refused as overloaded', async () => {
  let requestCount = 0
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const gamma = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      requestCount++
      await release
      return new Response('[]')
    },
  })
  try {
    const ask = askGamma({ url: `http://127.0.0.1:${gamma.port}`, keep: () => undefined })
    const answers = Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(`slug-${n}`)))
    const again = ask('slug-0')
    while (requestCount < 32) await new Promise(setImmediate)
    resolve()
    const refused = (await answers).filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(168)
    expect(refused.every(({ reason }) => reason.code === 'overloaded')).toBe(true)
    expect(await again).toBeUndefined()
    expect(requestCount).toBe(64)
    // The queue has room again.
    expect(await ask('slug-199')).toBeUndefined()
  } finally {
    await gamma.stop(true)
  }
})

describe('a failing Gamma means an unknown slug, and the next lookup requests it again', () => {
  /** The timeout for an answer; these servers decide when it expires. */
  const timeoutMs = 5_000
  type Late = () => void
  const never = (late: Late) => {
    late()
    return new Promise<Response>(() => undefined)
  }
  /** Returns an endless body; the timeout expires after `lateAfter` pieces. */
  const endless = (piece: string, lateAfter: number) => (late: Late) => {
    let pieces = 0
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode(piece))
      if (++pieces === lateAfter) late()
    }
    return new Response(new ReadableStream({ pull }))
  }
  const WELL = () => Response.json([EVENT])
  const wrong: [string, (late: Late) => Response | Promise<Response>][] = [
    ['hangs', never],
    ['sends its body byte by byte', endless(' ', 5)],
    ['sends more than the limit', endless('['.repeat(1 << 20), Number.NaN)],
    ['answers 500', () => new Response('[]', { status: 500 })],
    ['answers 429', () => new Response('', { status: 429 })],
    ['redirects', () => Response.redirect('http://127.0.0.1:1/events')],
    ['sends a page', () => new Response('<html>')],
    ['sends half an answer', () => new Response('[{"slug":"rain"')],
    ['sends something nested without end', () => new Response('['.repeat(1e6))],
    ['sends little that unpacks to more than the limit', () => new Response(PACKED, { headers: GZIP })],
  ]
  /** A large body with the event at its end, which is found only if the whole body is read. */
  const PACKED = gzipSync(`[${' '.repeat(17 << 20)}${JSON.stringify(EVENT)}]`)
  const GZIP = { 'content-encoding': 'gzip' }

  test.each(wrong)('%s', async (_, answer) => {
    let respond = answer
    const timers = new ImpatientTimers(timeoutMs)
    const late = () => timers.pass(timeoutMs)
    const gamma = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => respond(late) })
    const stored: unknown[] = []
    const url = `http://127.0.0.1:${gamma.port}`
    const keep = (documents: unknown[]) => void stored.push(...documents)
    const asking = askGamma({ url, keep, timers })
    try {
      expect(await asking('rain')).toBeUndefined()
      expect(stored).toEqual([])
      respond = WELL
      expect(await asking('rain')).toEqual(ANSWER)
    } finally {
      await gamma.stop(true)
    }
  })

  /** Cases: a name, the bytes that the server first writes after a request, and the bytes that it then writes five
   *  times before the timeout. */
  const noHttp: [string, string, string][] = [
    ['sends its headers byte by byte', 'HTTP/1.1 200 OK\r\nX-Long: ', 'a'],
    ['repeats 103 Early Hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['sends less than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[]', ''],
    ['does not speak HTTP', '\x16\x03\x01\x02\0\r\n\r\n', ''],
  ]

  test.each(noHttp)('%s', async (_, first, more) => {
    let connections = 0
    const gamma = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        open: () => void connections++,
        data(socket) {
          socket.write(first)
          for (let times = 0; times < 5; times++) socket.write(more)
          timers.pass(timeoutMs)
        },
      },
    })
    const timers = new ImpatientTimers(timeoutMs)
    const url = `http://127.0.0.1:${gamma.port}`
    const asking = askGamma({ url, keep: () => undefined, timers })
    try {
      expect(await asking('rain')).toBeUndefined()
      const before = connections
      expect(before).toBeGreaterThan(0)
      expect(await asking('rain')).toBeUndefined()
      expect(connections).toBeGreaterThan(before)
    } finally {
      gamma.stop(true)
    }
  })
})

test('an unknown slug is requested again after a minute, whatever the clock is set to meanwhile', () =>
  withGamma({}, async (_, requests, __, url) => {
    let elapsedMs = 0
    const ask = askGamma({ url, keep: () => {}, elapsedMs: () => elapsedMs })
    setSystemTime(new Date('2027-01-01'))
    await ask('none')
    setSystemTime(new Date('2020-01-01'))
    await ask('none')
    expect(requests).toHaveLength(2)
    elapsedMs = 60_001
    await ask('none')
    setSystemTime()
    expect(requests).toHaveLength(4)
  }))
