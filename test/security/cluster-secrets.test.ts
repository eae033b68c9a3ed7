// long: it starts engines and nodes of its own
// Goal: no error, log, answer, process argument or printed setting contains a secret of a cluster, whatever is wrong
// with its engines. Runs the program as a process, with planted secrets.

import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, TICKER } from '../model/lines.ts'
import { makeEmptyPostgres } from '../support/accounts.ts'
import { startS3Double } from '../support/cluster/s3-double.ts'
import { tradeLines } from '../support/disk/data-folder.ts'
import { runBackbook } from '../support/programs/program.ts'
import { serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'

const PASSWORD = 'planted-password-1'
const SECRET = 'planted-secret-key-2'
const TOKEN = 'planted-session-token-3'
const KEY_ID = 'PLANTEDKEYID4'
const OUR_SECRETS = [PASSWORD, SECRET, TOKEN, KEY_ID]

const folder = temporaryFolder()
const capture = join(folder.path, 'a.ndjson')
/** A store whose error repeats everything that the client sent. */
const forbidding = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const sent = [request.url, ...[...request.headers].map(([name, value]) => `${name}: ${value}`)].join(' ')
    return new Response(`<Error><Code>AccessDenied</Code><Message>${sent}</Message></Error>`, { status: 403 })
  },
})
afterAll(() => {
  forbidding.stop(true)
  folder[Symbol.dispose]()
})

const WRONG = `postgres://backbook:${PASSWORD}@127.0.0.1:1/none`
const settings = (given: Record<string, string> = {}): Record<string, string> => ({
  BACKBOOK_DATA: join(folder.path, 'data'),
  STORE_URL: 's3://backbook-test/secrets',
  CATALOGUE_URL: WRONG,
  AWS_ENDPOINT_URL: forbidding.url.origin,
  AWS_ACCESS_KEY_ID: KEY_ID,
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_SESSION_TOKEN: TOKEN,
  STORE_TIMEOUT_SECONDS: '1',
  CATALOGUE_TIMEOUT_SECONDS: '1',
  LOG_LEVEL: 'debug',
  ...given,
})
const secretsIn = (text: string, secrets = OUR_SECRETS) => secrets.filter((secret) => text.includes(secret))

/** Returns the arguments of a process and of all processes that it started. */
function argumentsBelow(pid: number): string[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    try {
      parents.set(Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]))
    } catch {
      // The process has ended.
    }
  }
  const own = [pid]
  for (const parent of own) for (const [child, of] of parents) if (of === parent) own.push(child)
  return own.map((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' '))
}

const COMMANDS = [
  ['ingest', capture, '--data', join(folder.path, 'data')],
  ['serve', '--port', '0', '--data', join(folder.path, 'data')],
  ['verify'],
  ['sweep'],
  ['backup', join(folder.path, 'backup'), '--verify'],
  ['restore', join(folder.path, 'backup')],
  ['keys', 'list', '--user', 'ann'],
]
const FAULTS: [string, Record<string, string>][] = [
  ['PostgreSQL is away', {}],
  ['the address has no host', { CATALOGUE_URL: `postgres://backbook:${PASSWORD}@/x` }],
  ['the address has a space', { CATALOGUE_URL: `postgres://back book:${PASSWORD}@ho st/x` }],
  ['the address has an unknown mode', { CATALOGUE_URL: `${WRONG}?sslmode=${PASSWORD}` }],
  ['the host is unknown', { CATALOGUE_URL: `postgres://backbook:${PASSWORD}@none.invalid/x` }],
  ['the endpoint holds a key', { AWS_ENDPOINT_URL: `http://${KEY_ID}:${SECRET}@127.0.0.1:9000` }],
  ['the bucket holds a key', { STORE_URL: `s3://${KEY_ID}:${SECRET}@bucket/prefix` }],
  ['a setting is missing', { AWS_SECRET_ACCESS_KEY: '' }],
]

test.each(FAULTS)(
  'no command prints a secret if %s',
  async (_, given) => {
    await Bun.write(capture, tradeLines(0, 10).join('\n'))
    for (const words of COMMANDS) {
      const { exitCode, out, err } = await runBackbook(words, { env: settings(given) })
      expect({ words, exitCode, secrets: secretsIn(`${out}${err}`) }).toEqual({ words, exitCode, secrets: [] })
      expect([words, exitCode === 0, err]).toEqual([words, false, expect.stringContaining('backbook: ')])
    }
  },
  60_000,
)

test('no printed setting contains a secret', async () => {
  const { exitCode, out, err } = await runBackbook(['serve', '--print-config'], { env: settings() })
  expect([exitCode, secretsIn(`${out}${err}`)]).toEqual([0, []])
  expect(out).toContain('127.0.0.1:1/none')
})

const suite = () => {
  test('nor where it does not know the password', async () => {
    await using empty = (await makeEmptyPostgres())!
    const url = new URL(empty.url)
    url.password = PASSWORD
    for (const words of COMMANDS) {
      const { exitCode, out, err } = await runBackbook(words, { env: settings({ CATALOGUE_URL: url.href }) })
      expect({ words, failed: exitCode !== 0, secrets: secretsIn(`${out}${err}`) }).toEqual({
        words,
        failed: true,
        secrets: [],
      })
    }
  }, 60_000)

  test('a node whose bucket forbids everything shows no secret in answers, log and arguments', async () => {
    await using empty = (await makeEmptyPostgres())!
    const double = startS3Double()
    const password = decodeURIComponent(new URL(empty.url).password)
    const ours = [...OUR_SECRETS.slice(1), password]
    await Bun.write(capture, tradeLines(0, 10).join('\n'))
    const loading = settings({ CATALOGUE_URL: empty.url, AWS_ENDPOINT_URL: new URL(double.url).origin })
    const loaded = await runBackbook(['ingest', capture], { cwd: folder.path, env: loading })
    await double.stop()
    expect([loaded.exitCode, secretsIn(`${loaded.out}${loaded.err}`, ours)]).toEqual([0, []])
    const env = { ...settings({ CATALOGUE_URL: empty.url }), ACCESS_LOG: 'on', DRAIN_SECONDS: '0' }
    await using node = await serveProcess(join(folder.path, 'node'), env)
    const made = (await (await fetch(`${node.url}/keys?user_id=ann&name=n`, { method: 'POST' })).json()) as Made
    const headers = { authorization: `Bearer ${made.data.api_key}` }
    let responses = ''
    for (const path of [
      `/kalshi/market/data?ticker=${TICKER}&date=${DAY}`,
      '/kalshi/market/list',
      '/monitoring/status',
      '/metrics',
      '/health',
      '/ready',
    ]) {
      const response = await fetch(`${node.url}${path}`, { headers })
      responses += `${path} ${response.status} ${await response.text()}\n`
    }
    expect(responses).toContain('blocks_unavailable')
    expect(responses).toContain('"name":"objects","status":"down"')
    const words = argumentsBelow(node.pid)
    const { out, err } = await node.stop()
    expect(err).toContain('a request failed')
    // The log may name the address of the engines.
    expect(err).toContain(`The bucket backbook-test at ${forbidding.url.host} does not let this key read objects`)
    expect(secretsIn(responses, ['backbook-test', forbidding.url.host, 'this key', new URL(empty.url).host])).toEqual(
      [],
    )
    expect(secretsIn([responses, out, err, ...words].join('\n'), ours)).toEqual([])
  }, 60_000)
}

type Made = { data: { api_key: string } }

if (process.env['POSTGRES_TEST_URL']) describe('with PostgreSQL', suite)
else describe.skip('with PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)
