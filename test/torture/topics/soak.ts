// All kinds of traffic at once, for the requested time: fast clients, slow ones, clients that leave, parallel loads,
// keys created and revoked, cursors followed. The memory of the server must be flat: it may not rise over the second
// half.

import { appendFileSync } from 'node:fs'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { ExpectedAnswers } from './load/expected-answers.ts'
import { list, longSummary, page, range } from './load/paths.ts'
import { RawClient, requestText } from './load/raw-client.ts'
import { expectEnd, type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals, residentMb } from './load/vitals.ts'

/** Length of a full round and of a smoke round, and the interval at which memory is measured. */
const ROUND_MS = 60_000
const SMOKE_MS = 2_500
const SAMPLE_MS = 1_000
/** Maximum slope of memory in the second half, MB per hour, and maximum memory, MB. The slope needs a long soak. */
const SLOPE_MB_MAX = 30
const RESIDENT_MB_MAX = 420
/** Minimum number of samples for a slope: ten minutes. */
const SAMPLES_MIN = 600

export const topic: TortureTopic = {
  title: 'mixed traffic for the requested time: memory is flat, answers stay the same',
  smokeRounds: 1,
  smokeTally: ['answers', 'leavers', 'slow readers', 'keys made and revoked', 'captures loaded', 'whole ranges'],

  async prepare({ tally, folder, isSmoke }) {
    const server = await serveStore(folder, { records: isSmoke ? 10_000 : 100_000 })
    const expected = await ExpectedAnswers.of(server)
    const before = await readVitals(server)
    const resident: number[] = []
    const sampler = setInterval(() => {
      resident.push(residentMb(server.pid))
      if (process.env['SOAK_SERIES']) appendFileSync(process.env['SOAK_SERIES'], `${resident.at(-1)!.toFixed(1)}\n`)
    }, SAMPLE_MS)
    return {
      async round({ random, isSmoke }: Round) {
        const untilMs = Date.now() + (isSmoke ? SMOKE_MS : ROUND_MS)
        const soak = { server, expected, random, tally, untilMs }
        await Promise.all([
          ...Array.from({ length: 3 }, () => fast(soak)),
          ...Array.from({ length: 4 }, () => slow(soak)),
          ...Array.from({ length: 3 }, () => leaver(soak)),
          loader(soak),
          keyMaker(soak),
          reader(soak),
        ])
        if (Math.max(...resident) > RESIDENT_MB_MAX) throw new Error(`${Math.max(...resident)} MB resident`)
      },
      async close() {
        clearInterval(sampler)
        await expectSettled(server, before, RESIDENT_MB_MAX)
        await server.close()
        tally.add('MB resident, at most', Math.round(Math.max(...resident)))
        assertFlat(resident, tally)
      },
    }
  },
}

type Soak = { server: Served; expected: ExpectedAnswers; random: Random; tally: Tally; untilMs: number }

const isOver = ({ untilMs }: Soak) => Date.now() >= untilMs

async function fast(soak: Soak): Promise<void> {
  const { expected, random, tally } = soak
  while (!isOver(soak)) {
    await expected.check(random.pick(expected.paths))
    tally.add('answers')
    await Bun.sleep(random.below(30))
  }
}

/** Reads nothing for a while, then some bytes one at a time, then leaves. */
async function slow(soak: Soak): Promise<void> {
  const { server, random, tally } = soak
  while (!isOver(soak)) {
    const client = await RawClient.dial(server.port)
    client.pause()
    const head = random.pick(['', 'Accept-Encoding: gzip\r\n', 'Accept-Encoding: zstd\r\n'])
    const path = random.chance(0.1) ? longSummary(server.day, 'none') : page(server.day, 10_000, random.below(5_000))
    client.send(requestText(path, server.secret, { head }))
    await Bun.sleep(Math.min(1_000 + random.below(9_000), soak.untilMs - Date.now() + 10))
    client.resume()
    if (random.chance(0.5)) await Bun.sleep(50)
    client.leave(random.pick(['fin', 'reset'] as const))
    tally.add('slow readers')
  }
}

async function leaver(soak: Soak): Promise<void> {
  const { server, random, tally } = soak
  while (!isOver(soak)) {
    const client = await RawClient.dial(server.port)
    const head = 'Connection: close\r\n'
    client.send(requestText(page(server.day, 1 + random.below(10_000)), server.secret, { head }))
    await client.untilSize(random.below(300_000))
    client.leave(random.pick(['fin', 'reset'] as const))
    tally.add('leavers')
    await Bun.sleep(random.below(50))
  }
}

/** Loads the same capture again. Everything is read, merged and committed, but nothing changes. */
async function loader(soak: Soak): Promise<void> {
  const { server, random, tally } = soak
  do {
    await expectEnd(['ingest', '--data', server.data, server.capture])
    tally.add('captures loaded')
    await Bun.sleep(Math.max(0, Math.min(5_000 + random.below(10_000), soak.untilMs - Date.now())))
  } while (!isOver(soak))
}

async function keyMaker(soak: Soak): Promise<void> {
  const { port } = soak.server
  const ask = (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  while (!isOver(soak)) {
    const made = await ask(`/keys?user_id=bob&name=k${soak.random.below(1e6)}`, { method: 'POST' })
    const { data } = (await made.json()) as { data: { api_key: string; key_id: string } }
    const headers = { authorization: `Bearer ${data.api_key}` }
    const { status } = await ask(list, { headers })
    const revoked = await ask(`/keys/${data.key_id}?user_id=bob`, { method: 'DELETE' })
    // The key stops working within a second.
    await Bun.sleep(1_100)
    const { status: after } = await ask(list, { headers })
    if (status !== 200 || revoked.status !== 200 || after !== 401) {
      throw new Error(`a key: ${status}, revoked ${revoked.status}, then ${after}: ${await revoked.text()}`)
    }
    soak.tally.add('keys made and revoked')
  }
}

/** Follows cursors to the end, and expects as many records as the date has. */
async function reader(soak: Soak): Promise<void> {
  const { server, random, tally } = soak
  const headers = { authorization: `Bearer ${server.secret}` }
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
    const body = (await answer.json()) as { data_count: number; next_cursor: string | null; total_count: number }
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
    return body
  }
  const { total_count: whole } = await ask(page(server.day, 1))
  do {
    let count = 0
    let cursor: string | null = ''
    while (cursor !== null) {
      const body: { data_count: number; next_cursor: string | null } = await ask(
        range(server.day, 2_000 + random.below(5_000), cursor),
      )
      count += body.data_count
      cursor = body.next_cursor
    }
    if (count !== whole) throw new Error(`${count} records by cursors, not ${whole}`)
    tally.add('whole ranges')
  } while (!isOver(soak))
}

/** Throws if memory rose over the second half by more than SLOPE_MB_MAX an hour. */
function assertFlat(resident: readonly number[], tally: Tally): void {
  const half = resident.slice(Math.floor(resident.length / 2))
  if (half.length * 2 < SAMPLES_MIN) return
  const slope = slopeOf(half) * (3_600_000 / SAMPLE_MS)
  tally.add('MB resident at the end', Math.round(half.at(-1)!))
  tally.add('MB an hour, slope of the second half', Math.round(slope))
  if (slope > SLOPE_MB_MAX) throw new Error(`memory rises by ${slope.toFixed(1)} MB an hour`)
}

/** Returns the slope of a line through the medians of each tenth. Medians ignore memory that is held only briefly. */
export function slopeOf(values: readonly number[]): number {
  const size = Math.max(1, Math.floor(values.length / 10))
  const points: [x: number, y: number][] = []
  for (let start = 0; start + size <= values.length; start += size) {
    const part = values.slice(start, start + size).sort((a, b) => a - b)
    points.push([start + size / 2, part[Math.floor(size / 2)]!])
  }
  const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const [xMean, yMean] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const top = points.reduce((sum, [x, y]) => sum + (x - xMean) * (y - yMean), 0)
  return top / points.reduce((sum, [x]) => sum + (x - xMean) ** 2, 0)
}
