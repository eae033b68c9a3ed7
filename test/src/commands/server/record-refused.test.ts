// long: each command is a process
// What `backbook record` does if a venue refuses its connections.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStatus } from '../../../../src/record/status/status-file.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { emptyFolder, endRecorders, recordProcess, recordToml, seenOf } from '../../../support/record/record-process.ts'
import { KalshiServer } from '../../../support/venues/kalshi-server.ts'

const pairs = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const venue = new KalshiServer({ publicKey: pairs[0]!.publicKey })

beforeAll(async () => {
  await venue.start()
  venue.setBook('KXTEST-1', { yes: [[4_000, 500]] })
})
afterEach(() => {
  venue.refusals.length = 0
})
afterAll(async () => {
  await endRecorders()
  await venue.stop()
})

/** Makes a configuration with the right key, or with a wrong one. */
function made(pair: 0 | 1) {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'key.pem'), pairs[pair]!.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const key = 'key_id = "key-1"\nprivate_key_file = "key.pem"\n'
  const text = `[kalshi]\nws_url = "${venue.wsUrl}"\nrest_url = ""\ntickers = ["KXTEST-1"]\n${key}`
  return { data: folder, config: recordToml(folder, text) }
}

const refused = (status: string, advice: string) =>
  `the connection to ${venue.wsUrl} is refused with ${status}: ${advice}`
const WRONG_KEY = 'the API key is not accepted: check its id, its private key, and the clock of this machine'

test('a wrong key ends the recorder, which reports it once', async () => {
  const { data, config } = made(1)
  const { exitCode, err } = await recordProcess(data, config).ended()
  const last = err.trimEnd().split('\n').at(-1)
  expect([exitCode, last]).toEqual([2, `backbook: ${refused('401', WRONG_KEY)}`])
  expect(err.match(/refused/g)).toHaveLength(1)
  expect(readStatus(data, Date.now())).toMatchObject({
    state: 'gone',
    status: { problems: [refused('401', WRONG_KEY)] },
  })
})

test('the recorder continues after a temporary refusal, and after a refusal once it was connected', async () => {
  const { data, config } = made(0)
  venue.refusals.push({ status: 503 })
  const recorder = recordProcess(data, config)
  await seenOf(data, ({ state }) => state === 'recording')
  // The status is written only once a second, so it might miss a single refusal.
  const refusal = { status: 401, body: '{"error":{"message":"wait"}}' }
  venue.refusals.push(refusal, refusal)
  for (const { socket } of [...venue.peers]) socket.close(1_001)
  await seenOf(data, ({ status }) => status.problems.includes(refused('401 (wait)', WRONG_KEY)))
  await seenOf(data, ({ status }) => status.problems.length === 0 && status.venues.kalshi?.connections === 1)
  const { exitCode, err } = await recorder.stop()
  expect(exitCode).toBe(0)
  expect(err.match(/a connection is refused, and tried again/g)).toHaveLength(1)
})

describe('--check', () => {
  const checked = (config: string) => runBackbook(['record', '--config', config, '--check', '--json'])

  test('connects once with the right key', async () => {
    const { exitCode, out } = await checked(made(0).config)
    expect([exitCode, JSON.parse(out).venues[0]]).toMatchObject([0, { is_signed: true, connects: true, problems: [] }])
  })

  test('reports an address where nothing listens', async () => {
    const text = '[kalshi]\nws_url = "ws://127.0.0.1:1/ws"\nrest_url = ""\ntickers = ["A"]\n'
    const { exitCode, err } = await checked(recordToml(emptyFolder(), text))
    expect([exitCode, err]).toEqual([
      1,
      'backbook: the connection to ws://127.0.0.1:1/ws cannot be opened: Failed to connect\n',
    ])
  })

  test.each([
    ['a wrong key', 1, undefined, () => refused('401', WRONG_KEY)],
    ['an address without access', 0, 403, () => refused('403', 'the API key, or this machine has no access')],
    ['trouble of the venue', 0, 503, () => `the connection to ${venue.wsUrl} cannot be opened: the answer was 503`],
  ] as const)('fails with %s, and says so', async (_, pair, status, message) => {
    if (status !== undefined) venue.refusals.push({ status })
    const { exitCode, out, err } = await checked(made(pair).config)
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).venues[0]).toMatchObject({ connects: false, problems: [expect.stringContaining(message())] })
    expect(err).toStartWith(`backbook: ${message()}`)
  })
})
