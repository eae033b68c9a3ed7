// Requests that no usual client sends: several without waiting for answers, bodies where there should be none, older
// HTTP, headers with another header inside. Each gets an answer or loses its connection, and none affects the next.

import type { Round, TortureTopic } from '../topic.ts'
import { ExpectedAnswers } from './load/expected-answers.ts'
import { days, page, shortPage } from './load/paths.ts'
import { RawClient } from './load/raw-client.ts'
import { type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals } from './load/vitals.ts'

const RESIDENT_MB_MAX = 400

/** The text that the client sends, and the statuses of the answers. The last request asks to close the connection. */
type Odd = [what: string, text: string, statuses: string]

const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'

function oddRequests({ day, secret }: Served): Odd[] {
  const key = `Authorization: Bearer ${secret}\r\n`
  const get = (path: string, head = '', version = '1.1') => `GET ${path} HTTP/${version}\r\n${HOST}${key}${head}\r\n`
  const last = `GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`
  const post = (head: string, body: string) =>
    `POST /keys HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${head}\r\n${body}`
  const chunked = 'Transfer-Encoding: chunked\r\n'
  return [
    ['six in a row', get(days(day)).repeat(5) + last, '200 200 200 200 200 200'],
    // The runtime closes a connection that sends another request while an answer is pending.
    ['a row behind one that is waited for', get(shortPage(day)) + last, ''],
    ['a body on a GET', get(shortPage(day), `Content-Length: 5\r\n${CLOSE}`).concat('hello'), '200'],
    [
      'a body on a GET that is answered at once',
      get(days(day), 'Content-Length: 5\r\n').concat('hello', last),
      '200 200',
    ],
    ['HTTP/1.0', get(shortPage(day), '', '1.0'), '200'],
    ['HTTP/1.0 of a long answer', get(page(day, 5_000), '', '1.0'), '200'],
    ['HTTP/1.0 without a host', `GET ${days(day)} HTTP/1.0\r\n${key}\r\n`, '200'],
    ['an address with a host of its own', get(`http://elsewhere.example${days(day)}`, CLOSE), '200'],
    ['a key given twice', get(days(day), `${key}${CLOSE}`), '401'],
    ['a folded header', get('/health', 'X-Request-Id: a\r\n X-Injected: yes\r\n'), '400'],
    ['a header with a bare CR', get('/health', 'X-Request-Id: a\rX-Injected: yes\r\n'), '400'],
    ['a header with a NUL', get('/health', 'X-Request-Id: a\0\r\n'), '400'],
    ['an id that would be two headers', get('/health', `X-Request-Id: a%0d%0aX-Injected: yes\r\n${CLOSE}`), '200'],
    ['a slug that would be a header', get('/lookup/slug?slug=a%0d%0aX-Injected:%20yes', CLOSE), '400'],
    ['a cursor that would be a header', get(`${days(day)}&cursor=a%0d%0aX-Injected:%20yes`, CLOSE), '400'],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), '400'],
    ['a length and chunks', post(`Content-Length: 2\r\n${chunked}`, '2\r\n{}\r\n0\r\n\r\n'), '400'],
    ['a negative length', post('Content-Length: -2\r\n', '{}'), '400'],
    ['a chunk of 2^64', post(chunked, 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n'), '400'],
    ['trailers are no next request', post(chunked, '2\r\n{}\r\n0\r\nGET /health HTTP/1.1: x\r\n\r\n'), '400 400'],
    ['a body that is too large', post('Content-Length: 99999999\r\n', 'a'), '413'],
    ['99 headers', get('/health', `${'X-Many: a\r\n'.repeat(90)}${CLOSE}`), '200'],
    ['1,000 headers', get('/health', 'X-Many: a\r\n'.repeat(1_000)), '431'],
    ['a header of 100 KB', get('/health', `X-Long: ${'a'.repeat(100_000)}\r\n`), '431'],
    ['a header without an end', `GET /health HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(1_000_000)}`, '431'],
    ['no host', `GET /health HTTP/1.1\r\n\r\n`, '400'],
    ['another protocol', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', '400'],
    ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
    ['an unknown version', get('/health', '', '7.0'), '505'],
    ['a wish for another protocol', get('/health', `Upgrade: websocket\r\n${CLOSE}`), '200'],
  ]
}

export const topic: TortureTopic = {
  title: 'requests as no usual client sends them',
  smokeRounds: 1,
  smokeTally: ['odd requests', 'usual answers right afterwards'],

  async prepare({ folder }) {
    const server = await serveStore(folder, { records: 10_000, settings: { IDLE_SECONDS: '20' } })
    const expected = await ExpectedAnswers.of(server)
    const before = await readVitals(server)
    return {
      async round({ tally, random }: Round) {
        for (const [what, text, statuses] of oddRequests(server)) {
          const received = await exchange(server, text, random.chance(0.3) ? 1 + random.below(40) : text.length)
          const given = Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status).join(' ')
          if (given !== statuses) throw new Error(`${what}: ${given}, not ${statuses}\n${received.slice(0, 2_000)}`)
          if (/^x-injected/im.test(received)) throw new Error(`${what}: a header was injected\n${received}`)
          tally.add('odd requests')
        }
        for (const path of expected.paths) await expected.check(path)
        tally.add('usual answers right afterwards', expected.paths.length)
        await expectSettled(server, before, RESIDENT_MB_MAX)
      },
      close: () => server.close(),
    }
  },
}

/** Returns everything that arrives until the connection is closed. Sends the text in one piece, or the `first` bytes
 *  before the rest. */
async function exchange({ port }: Served, text: string, first: number): Promise<string> {
  const client = await RawClient.dial(port)
  client.send(Buffer.from(text.slice(0, first), 'latin1'))
  if (first < text.length) {
    await Bun.sleep(2)
    client.send(Buffer.from(text.slice(first), 'latin1'))
  }
  await client.closed
  const received = (await client.until(() => true)).toString('latin1')
  client.leave('fin')
  return received
}
