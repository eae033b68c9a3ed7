// A thousand connections at once, with more requests than may wait. Each request gets a correct answer, or an error
// that says to retry later. No request is lost, and each answered call is counted once.

import type { Random } from '../../../workers/synthetic/random.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { ExpectedAnswers } from './load/expected-answers.ts'
import { page, shortPage } from './load/paths.ts'
import { RawClient, requestText } from './load/raw-client.ts'
import { type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals } from './load/vitals.ts'

const CONNECTIONS = 1_000
const CONNECTIONS_SMOKE = 250
/** Requests of each connection, one after the other. */
const REQUESTS = 5
const MEGABYTES_MORE = 160
const COUNTED_WITHIN_MS = 10_000

export const topic: TortureTopic = {
  title: 'a thousand connections at once, beyond what may wait',
  smokeRounds: 1,
  smokeTally: ['answered', 'refused with Retry-After', 'answered on the second try'],

  async prepare({ folder, isSmoke }) {
    const settings = { WORKER_THREADS: '1', ANSWER_CACHE_MB: '0' }
    const server = await serveStore(folder, { records: isSmoke ? 10_000 : 60_000, settings })
    const expected = await ExpectedAnswers.of(server)
    const before = await readVitals(server)
    const residentMbMax = Math.max(before.residentMb, 200) + MEGABYTES_MORE
    return {
      async round({ random, tally }: Round) {
        const callsBefore = await settledCalls(server)
        const count = isSmoke ? CONNECTIONS_SMOKE : CONNECTIONS
        const clients = await Promise.all(Array.from({ length: count }, () => RawClient.dial(server.port)))
        tally.add('connections', count)
        const flood: Flood = { server, expected, random, tally, answered: 0 }
        await Promise.all(clients.map((client) => ask(client, flood)))
        for (const client of clients) client.leave('fin')
        await expectCounted(server, callsBefore + flood.answered)
        tally.add('calls, each counted once', flood.answered)
        await expectSettled(server, before, residentMbMax)
        for (const path of expected.paths) await expected.check(path)
      },
      close: () => server.close(),
    }
  },
}

type Flood = { server: Served; expected: ExpectedAnswers; random: Random; tally: Tally; answered: number }

async function ask(client: RawClient, flood: Flood): Promise<void> {
  const { server, expected, random, tally } = flood
  for (let each = 0; each < REQUESTS; each++) {
    const path = random.chance(0.8) ? shortPage(server.day) : page(server.day, 10_000)
    client.send(requestText(path, server.secret))
    const { status, head, body } = await client.answer()
    if (status === 200) {
      if (!expected.isRight(path, body)) throw new Error(`another answer of ${path}: ${body.length} bytes`)
      flood.answered += 1
      tally.add('answered')
      if (each > 0) tally.add('answered on the second try')
    } else {
      const { code } = JSON.parse(body.toString()) as { code: string }
      if (status !== 503 || code !== 'overloaded' || !/^retry-after: 1$/im.test(head)) {
        throw new Error(`neither an answer nor a refusal: ${head}\n${body}`)
      }
      tally.add('refused with Retry-After')
    }
  }
}

async function calls({ port }: Served): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/usage?user_id=ann`)
  return ((await answer.json()) as { api_calls: number }).api_calls
}

/** Returns the counted calls once they no longer change. The server writes counts twice a second. */
async function settledCalls(server: Served): Promise<number> {
  let last = -1
  for (;;) {
    const now = await calls(server)
    if (now === last) return now
    last = now
    await Bun.sleep(1_500)
  }
}

async function expectCounted(server: Served, wanted: number): Promise<void> {
  const untilMs = Date.now() + COUNTED_WITHIN_MS
  while ((await calls(server)) < wanted && Date.now() < untilMs) await Bun.sleep(100)
  const counted = await settledCalls(server)
  if (counted !== wanted) throw new Error(`${counted} calls are counted, not ${wanted}`)
}
