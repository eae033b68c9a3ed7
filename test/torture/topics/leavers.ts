// Clients that leave: before the server has read the request, in the queue, in the head of the answer, or at any byte
// of its body. They leave by FIN or RST. Answers are plain, compressed, cached or without a body. The server retains
// nothing of these clients.

import type { Random } from '../../../workers/synthetic/random.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { ExpectedAnswers } from './load/expected-answers.ts'
import { days, longSummary, page, range, shortPage, summary } from './load/paths.ts'
import { RawClient, requestText } from './load/raw-client.ts'
import { type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals } from './load/vitals.ts'

/** Number of clients in a round. */
const CLIENTS = 1_000
const CLIENTS_SMOKE = 150
const AT_ONCE = 48
const MEGABYTES_MORE = 96

export const topic: TortureTopic = {
  title: 'clients that leave at any moment leave nothing behind',
  smokeRounds: 1,
  smokeTally: [
    'left in the request',
    'left at once',
    'left in the head',
    'left in the body',
    'left after the answer',
    'left by fin',
    'left by reset',
    'left a HEAD',
    'left half-open',
  ],

  async prepare({ tally, folder, isSmoke }) {
    const server = await serveStore(folder, { records: isSmoke ? 10_000 : 60_000 })
    const expected = await ExpectedAnswers.of(server)
    // Makes the server allocate everything that it allocates only once, before the test measures memory.
    await leaveMany(server, { clients: isSmoke ? AT_ONCE : CLIENTS_SMOKE, tally, random: undefined })
    const before = await readVitals(server)
    const residentMbMax = Math.max(before.residentMb, 200) + MEGABYTES_MORE
    return {
      async round({ random, isSmoke }: Round) {
        const clients = isSmoke ? CLIENTS_SMOKE : CLIENTS
        const [left] = await Promise.all([
          leaveMany(server, { clients, tally, random }),
          ...Array.from({ length: 20 }, () => expected.check(random.pick(expected.paths))),
        ])
        tally.add('clients that left', left)
        const { residentMb } = await expectSettled(server, before, residentMbMax)
        for (const path of expected.paths) await expected.check(path)
        tally.counts.set('MB resident in the end', Math.round(residentMb))
      },
      close: () => server.close(),
    }
  },
}

type Many = { clients: number; tally: Tally; random: Random | undefined }

async function leaveMany(server: Served, { clients, tally, random }: Many): Promise<number> {
  let left = 0
  const one = async () => {
    while (left < clients) {
      left += 1
      if (random === undefined) await ask(server)
      else await leave(server, random, tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return clients
}

/** Requests a page, and reads it completely. */
async function ask({ port, secret, day }: Served): Promise<void> {
  const client = await RawClient.dial(port)
  client.send(requestText(page(day, 10_000), secret, { head: 'Connection: close\r\nAccept-Encoding: gzip\r\n' }))
  await client.closed
  client.leave('fin')
}

async function leave({ port, secret, day }: Served, random: Random, tally: Tally): Promise<void> {
  const client = await RawClient.dial(port)
  const how = random.pick(['fin', 'reset'] as const)
  const path = random.chance(0.01)
    ? longSummary(day, random.pick(['none', 'observed', 'range']))
    : somePath(day, random)
  const method = random.chance(0.1) ? 'HEAD' : 'GET'
  const coding = random.pick(['', 'Accept-Encoding: gzip\r\n', 'Accept-Encoding: zstd\r\n'])
  const text = requestText(path, secret, { method, head: `Connection: close\r\n${coding}` })
  const when = random.pick(['request', 'at once', 'head', 'body', 'body', 'body', 'half-open', 'after'] as const)
  client.send(when === 'request' ? text.slice(0, random.below(text.length)) : text)
  if (when === 'head') await client.untilSize(1 + random.below(300))
  if (when === 'body') await client.untilSize(400 + random.below(random.pick([2_000, 100_000, 4_000_000])))
  if (when === 'after') await client.closed
  if (when === 'half-open') {
    // The client closes its side and still reads for a while. RFC 9112 lets a server treat this as leaving.
    client.socket.end()
    await Promise.race([client.closed, Bun.sleep(random.below(50))])
  }
  client.leave(how)
  tally.add(NAMES[when])
  tally.add(`left by ${how}`)
  if (method === 'HEAD') tally.add('left a HEAD')
}

const NAMES = {
  request: 'left in the request',
  'at once': 'left at once',
  head: 'left in the head',
  body: 'left in the body',
  after: 'left after the answer',
  'half-open': 'left half-open',
}

const somePath = (day: Served['day'], random: Random) =>
  random.pick([
    shortPage(day),
    page(day, 1 + random.below(10_000), random.below(8_000)),
    range(day, 1 + random.below(10_000)),
    // The first answer is cached after its first request, the second is never cached.
    summary(day, 5, 'range'),
    summary(day, 2 + random.below(58), 'none'),
    days(day),
    '/docs/json',
  ])
