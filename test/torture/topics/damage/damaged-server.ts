// A server whose file is damaged while it runs. It may end before its check has come by, and is started again then, as a
// supervisor would; from then on each answer is that of the undamaged store or a failure with a name, and it lives.

import assert from 'node:assert/strict'
import type { Tally } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import type { Question } from './questions.ts'

/** What a client sees: the body, or the code of a failure. */
type Seen = { body: string } | { code: string }
type Server = { url: string; ask(path: string): Promise<Seen>; ended(): boolean; stop(): Promise<void> }

const NAMED = ['block_corrupt', 'store_unavailable']
/** The one that is under way may have begun before. */
const CHECKS = 2
const OFTEN_MS = 20

/** `data` is a sound store, and `inflict` damages it. */
export async function damagedServer(data: string, inflict: () => void, questions: Question[], tally: Tally) {
  const paths = questions.flatMap(pathOf)
  let server = await startServer(data)
  try {
    const expected = await askAll(server, paths)
    // A slug and a market that are no such are asked for as well.
    const unknown = expected.filter((seen) => 'code' in seen)
    assert(unknown.length <= 3, JSON.stringify(unknown))
    inflict()
    if (await untilChecked(server)) tally.add('servers that found the damage while they ran')
    else {
      tally.add('servers that ended before')
      await server.stop()
      const again = await startServer(data).catch(refusal)
      if (again === undefined) return tally.add('servers that were not started again')
      server = again
    }
    const seen = await askAll(server, paths)
    let failures = 0
    seen.forEach((each, i) => {
      if (Bun.deepEquals(each, expected[i])) return
      assert('code' in each && NAMED.includes(each.code), `${paths[i]}: ${JSON.stringify(each).slice(0, 500)}`)
      failures++
    })
    assert(!server.ended(), 'the server ended when it was asked again')
    tally.add('failures of servers', failures)
    tally.add('answers of servers as they were', seen.length - failures)
  } finally {
    await server.stop()
  }
}

async function askAll({ ask }: Server, paths: string[]): Promise<Seen[]> {
  const seen: Seen[] = []
  for (const path of paths) seen.push(await ask(path))
  return seen
}

/** Whether the index was checked from its beginning to its end while the server lived. */
async function untilChecked({ url, ended }: Server): Promise<boolean> {
  let first: number | undefined
  while (!ended()) {
    const text = await fetch(`${url}/metrics`).then(
      (response) => response.text(),
      () => '',
    )
    const checks = Number(/^backbook_index_checks_total (\d+)$/m.exec(text)?.[1])
    first ??= Number.isNaN(checks) ? undefined : checks
    if (first !== undefined && checks >= first + CHECKS) return true
    await Bun.sleep(OFTEN_MS)
  }
  return false
}

async function startServer(data: string): Promise<Server> {
  const settings = { WORKER_THREADS: '1', ANSWER_CACHE_MB: '0', LOG_LEVEL: 'fatal' }
  const { child, err } = startProgram(['serve', '--data', data, '--port', '0'], settings)
  const url = await firstUrl(child.stdout)
  if (url === undefined) throw new Error(await err)
  const made = await fetch(`${url}/keys?user_id=ann&name=test`, { method: 'POST' })
  const { data: key } = (await made.json()) as { data: { api_key: string } }
  const headers = { authorization: `Bearer ${key.api_key}` }
  return {
    url,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    async ask(path) {
      const response = await fetch(`${url}${path}`, { headers })
      const body = await response.text()
      return response.ok ? { body } : { code: (JSON.parse(body) as { code: string }).code }
    },
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function firstUrl(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let text = ''
  for await (const bytes of stream) {
    text += new TextDecoder().decode(bytes)
    const url = /http:\S+(?=\n)/.exec(text)?.[0]
    if (url !== undefined) return url
  }
  return undefined
}

/** A store without sound roots is not opened: one sentence, and no crash. */
function refusal(error: Error): undefined {
  assert.match(error.message, /^backbook: .*(?:damaged|cut short|is no store)/m)
}

function pathOf(question: Question): string[] {
  if (question.about === 'slug') return [`/lookup/slug?slug=${question.slug}`]
  if (question.about === 'list') return [`/${question.venue}/market/list?limit=100`]
  const { venue, market } = question
  const id = `${venue === 'kalshi' ? 'ticker' : 'condition_id'}=${market}`
  const path = `/${venue}/market`
  switch (question.about) {
    case 'market':
      return [`${path}/date-range?${id}`]
    case 'coverage':
      return [`${path}/coverage?${id}`]
    case 'page':
      return [`${path}/data?${id}&date=${question.date}`]
    case 'summary': {
      const asset = venue === 'kalshi' ? '' : `&asset_id=${question.book}`
      return [`${path}/orderbook-summary?${id}${asset}&date=${question.date}&resolution=600`]
    }
    case 'range':
      return []
  }
}
