// Clients that read nothing or a byte a second, that send their request in small parts, or that send nothing. They do
// not delay short requests. Clients that read get their answer; clients that only hold a connection lose the
// connection.

import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { ExpectedAnswers } from './load/expected-answers.ts'
import { longSummary, page, shortPage } from './load/paths.ts'
import { RawClient, requestText } from './load/raw-client.ts'
import { type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals } from './load/vitals.ts'

const IDLE_SECONDS = 1
/** Maximum time until the server closes an idle connection, ms. The runtime checks every four seconds. */
const IDLE_MS_MAX = 20_000
const SIZES = { full: { takers: 300, silent: 1_000 }, smoke: { takers: 24, silent: 60 } }
const MEGABYTES_MORE = { full: 500, smoke: 200 }

export const topic: TortureTopic = {
  title: 'slow, silent and trickling clients: others do not notice, those that read are not cut',
  smokeRounds: 1,
  smokeTally: [
    'took nothing, then all of it',
    'took a byte a second',
    'silent connections closed',
    'trickled headers closed',
    'trickled bodies closed',
    'half-open connections closed',
    'short requests meanwhile',
  ],

  async prepare({ folder, isSmoke }) {
    const settings = { IDLE_SECONDS: String(IDLE_SECONDS), ANSWER_CACHE_MB: '0' }
    const server = await serveStore(folder, { records: isSmoke ? 10_000 : 60_000, settings })
    const expected = await ExpectedAnswers.of(server)
    const whole = await longDigest(server)
    const before = await readVitals(server)
    const size = isSmoke ? 'smoke' : 'full'
    const residentMbMax = Math.max(before.residentMb, 200) + MEGABYTES_MORE[size]
    return {
      async round({ random, tally }: Round) {
        const { takers, silent } = SIZES[size]
        const clients = await Promise.all(Array.from({ length: takers }, () => takeNothing(server, random)))
        const trickling = trickle(server, tally)
        const silence = holdConnections(server, silent, tally)
        for (let each = 0; each < 20; each++) {
          await expected.check(shortPage(server.day))
          tally.add('short requests meanwhile')
        }
        await Promise.all([takeAll(server, whole, tally), drip(server, tally), trickling, silence])
        const { residentMb } = await readVitals(server)
        tally.counts.set('MB resident with all of them', Math.round(residentMb))
        if (residentMb > residentMbMax) throw new Error(`${residentMb} MB, not ${residentMbMax}`)
        for (const client of clients) client.leave(random.pick(['fin', 'reset'] as const))
        tally.add('took nothing, and left', takers)
        await expectSettled(server, before, residentMbMax)
        for (const path of expected.paths) await expected.check(path)
      },
      close: () => server.close(),
    }
  },
}

async function takeNothing({ port, secret, day }: Served, random: Random): Promise<RawClient> {
  const client = await RawClient.dial(port)
  client.pause()
  const head = random.pick(['', '', 'Accept-Encoding: gzip\r\n'])
  const path = random.chance(0.2) ? longSummary(day, 'none') : page(day, 10_000, random.below(3_000))
  client.send(requestText(path, secret, { head }))
  return client
}

/** Returns the digest of the long answer, for a client that reads it without pauses. */
async function longDigest({ port, secret, day }: Served): Promise<string> {
  const client = await RawClient.dial(port)
  client.send(requestText(longSummary(day), secret))
  const { body } = await client.answer()
  client.leave('fin')
  return digest(body)
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Reads nothing for longer than a silent connection may last, and then everything. The answer must be complete. */
async function takeAll({ port, secret, day }: Served, whole: string, tally: Tally): Promise<void> {
  const client = await RawClient.dial(port)
  client.pause()
  client.send(requestText(longSummary(day), secret))
  await Bun.sleep((IDLE_SECONDS + 5) * 1_000)
  client.resume()
  const { status, body } = await client.answer()
  if (status !== 200 || digest(body) !== whole) throw new Error(`${status}: ${body.length} bytes, another answer`)
  client.leave('fin')
  tally.add('took nothing, then all of it')
}

const DRIP_SECONDS_MAX = 120

/** Reads a byte a second for longer than a silent connection may last. The server must not close the connection. */
async function drip({ port, secret, day }: Served, tally: Tally): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  let isOver = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isOver = true
  })
  socket.write(requestText(longSummary(day), secret))
  let taken = 0
  // The server may send the first bytes late, because other clients wait too.
  for (let second = 0; second < DRIP_SECONDS_MAX && taken < IDLE_SECONDS + 6 && !isOver; second++) {
    await Bun.sleep(1_000)
    taken += socket.read(1)?.length ?? 0
  }
  if (isOver || taken < IDLE_SECONDS + 6) throw new Error(`a client of a byte a second was cut after ${taken} bytes`)
  socket.resetAndDestroy()
  tally.add('took a byte a second')
}

const TRICKLED = {
  'trickled headers closed': 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Filler: ',
  'trickled bodies closed':
    'POST /keys?user_id=a&name=b HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
}

/** Sends a byte of a header, or of a body, every quarter of a second. */
async function trickle({ port }: Served, tally: Tally): Promise<void> {
  const one = async ([name, start]: [string, string]) => {
    const client = await RawClient.dial(port)
    client.send(start)
    const timer = setInterval(() => client.send(' '), 250)
    await closedInTime(client, name)
    clearInterval(timer)
    client.leave('reset')
    tally.add(name)
  }
  await Promise.all(Object.entries(TRICKLED).map(one))
}

/** Holds connections that send nothing, half a request, or one request and no more. */
async function holdConnections({ port }: Served, count: number, tally: Tally): Promise<void> {
  const starts = ['', 'GET /health HTT', 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n']
  const hold = async (_: unknown, index: number) => {
    const client = await RawClient.dial(port)
    const start = starts[index % starts.length]!
    if (start !== '') client.send(start)
    await closedInTime(client, `a connection that sent ${JSON.stringify(start)}`)
    client.leave('fin')
    tally.add(start === '' ? 'silent connections closed' : 'half-open connections closed')
  }
  await Promise.all(Array.from({ length: count }, hold))
}

async function closedInTime(client: RawClient, name: string): Promise<void> {
  const late = Bun.sleep(IDLE_MS_MAX).then(() => 'late')
  if ((await Promise.race([client.closed, late])) === 'late') throw new Error(`${name}: still open`)
}
