// Requests made from our own OpenAPI document, most of them invalid. The document describes every answer, no answer is
// an internal server error, and valid requests get correct answers.

import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { strictValidator } from '../../support/openapi.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { wrongWith } from './http-fuzz/expectations.ts'
import { checkAnswers } from './http-fuzz/invariants.ts'
import { type FuzzRequest, fuzzRequest } from './http-fuzz/requests.ts'
import type { Known } from './http-fuzz/values.ts'
import { range } from './load/paths.ts'
import { type RawAnswer, RawClient } from './load/raw-client.ts'
import { type Served, serveStore } from './load/served-store.ts'
import { expectSettled, readVitals } from './load/vitals.ts'

const REQUESTS = 2_000
const REQUESTS_SMOKE = 600
/** Maximum duration of an answer, whatever the request, ms. */
const HANG_MS = 30_000
const RESIDENT_MB_MAX = 400

export const topic: TortureTopic = {
  title: 'requests made from the OpenAPI document: documented answers, no failure of our own, no hang',
  smokeRounds: 1,
  smokeTally: ['requests', 'status 200', 'status 400', 'status 401', 'status 404', 'bodies', 'summaries checked'],

  async prepare({ folder }) {
    const server = await serveStore(folder, { records: 10_000 })
    const document = (await (await get(server, '/docs/json')).json()) as OpenApiDocument
    const fuzz = { server, document, validate: strictValidator(document), known: await knownOf(server) }
    const before = await readVitals(server)
    return {
      async round({ random, tally, isSmoke }: Round) {
        for (let each = 0; each < (isSmoke ? REQUESTS_SMOKE : REQUESTS); each++) await fuzzOnce(fuzz, random, tally)
        await checkAnswers(server, random, tally)
        const health = (await (await get(server, '/health')).json()) as object
        if (Object.keys(health).join() !== 'status,version,uptime_seconds') throw new Error(JSON.stringify(health))
        await expectSettled(server, before, RESIDENT_MB_MAX)
        const log = await server.log()
        if (/"level":"(?:error|fatal)"/.test(log)) throw new Error(`the log has errors:\n${log.slice(0, 5_000)}`)
      },
      close: () => server.close(),
    }
  },
}

type Fuzz = {
  server: Served
  document: OpenApiDocument
  validate: ReturnType<typeof strictValidator>
  known: Known
}

async function fuzzOnce({ server, document, validate, known }: Fuzz, random: Random, tally: Tally): Promise<void> {
  const request = fuzzRequest(document, server.secret, known, random)
  const answer = await ask(server, request)
  const wrong = wrongWith(request, answer, validate)
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\nof ${request.template}:\n${request.text}`)
  tally.add('requests')
  tally.add(`status ${answer.status}`)
  if (request.text.includes('Content-Length')) tally.add('bodies')
}

/** Sends a request. Throws if no answer comes in time. */
async function ask({ port }: Served, { bytes, method, text }: FuzzRequest): Promise<RawAnswer> {
  const client = await RawClient.dial(port)
  client.send(bytes)
  const timer = setTimeout(() => client.leave('reset'), HANG_MS)
  try {
    const head = headOf(await client.until((received) => headOf(received) !== undefined))
    // A stream of events lasts as long as the client stays connected.
    if (head !== undefined && EVENTS.test(head)) {
      return { status: Number(head.split(' ')[1]), head, body: Buffer.alloc(0) }
    }
    return await client.answer(method.toUpperCase())
  } catch (error) {
    throw new Error(`${(error as Error).message}\nof\n${text}`)
  } finally {
    clearTimeout(timer)
    client.leave('fin')
  }
}

const EVENTS = /\r\ncontent-type: text\/event-stream/i

function headOf(received: Buffer): string | undefined {
  const end = received.indexOf('\r\n\r\n')
  return end < 0 ? undefined : received.toString('latin1', 0, end)
}

const get = ({ port, secret }: Served, path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${secret}` }, ...init })

async function knownOf(server: Served): Promise<Known> {
  const { day } = server
  const first = (await (await get(server, range(day, 50))).json()) as { next_cursor: string }
  const keyIds: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const made = await get(server, `/keys?user_id=fuzz&name=${name}`, { method: 'POST' })
    keyIds.push(((await made.json()) as { data: { key_id: string } }).data.key_id)
  }
  return { day, cursors: [first.next_cursor, 'AAAA'], keyIds, users: ['fuzz', 'nobody'] }
}
