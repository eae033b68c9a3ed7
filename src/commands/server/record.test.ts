// long: each command is a process
// Tests `backbook record` as a process: what it stores, how it ends, and what it reports meanwhile.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runBackbook } from '../../../test/support/programs/program.ts'
import {
  emptyFolder,
  endRecorders,
  recordProcess,
  recordToml,
  seenOf,
  storedRecords,
} from '../../../test/support/record/record-process.ts'
import { KalshiServer } from '../../../test/support/venues/kalshi-server.ts'
import { RestServer } from '../../../test/support/venues/rest-server.ts'
import { readStatus } from '../../record/status/status-file.ts'

const MAIN = join(import.meta.dir, '../../main.ts')
const TICKER = 'KXTEST-1'
const venue = new KalshiServer()

beforeAll(async () => {
  await venue.start()
  venue.setBook(TICKER, { yes: [[4_000, 500]], no: [[5_000, 700]] })
})
afterAll(async () => {
  await endRecorders()
  await venue.stop()
})

/** Returns a new folder and the smallest configuration, plus the lines `more`. */
function made(more = '') {
  const folder = emptyFolder()
  const text = `commit_seconds = 0.2\n[kalshi]\nws_url = "${venue.wsUrl}"\nrest_url = ""\n`
  return { data: folder, config: recordToml(folder, `${text}tickers = ["${TICKER}"]\n${more}`) }
}

/** Sends `count` deltas, once the recorder is connected. */
async function sendDeltas(data: string, count: number): Promise<void> {
  await seenOf(data, ({ status: { venues } }) => venues.kalshi?.books_lost === 0 && venues.kalshi.connections === 1)
  for (let i = 0; i < count; i++) venue.delta(TICKER, 'yes', 4_000 + (i % 10) * 100, 100)
}

const stored = async (data: string, count: number) =>
  await seenOf(data, ({ status }) => status.loading.records_added >= count)

test('a named market is recorded until SIGTERM', async () => {
  const { data, config } = made()
  const recorder = recordProcess(data, config)
  await sendDeltas(data, 50)
  const seen = await stored(data, 51)
  expect(seen.state).toBe('recording')
  expect(seen.status.venues.kalshi).toMatchObject({ connections: 1, markets: 1, books: 1 })
  const { exitCode, out } = await recorder.stop()
  expect([exitCode, out]).toEqual([0, `backbook recording to ${data}\n`])
  expect(readStatus(data, Date.now())?.state).toBe('stopped')
  const records = await storedRecords(data, 'kalshi', TICKER)
  expect(records.map(({ type }) => type)).toEqual(['snapshot', ...Array.from({ length: 50 }, () => 'delta')])
})

test('after a kill nothing that was on the disk is lost, and a gap records the pause', async () => {
  const { data, config } = made()
  const first = recordProcess(data, config)
  await sendDeltas(data, 20)
  await stored(data, 21)
  const killedMs = Date.now()
  await first.kill()
  expect(readStatus(data, Date.now())?.state).toBe('gone')
  const second = recordProcess(data, config)
  await seenOf(data, ({ state }) => state === 'recording')
  await sendDeltas(data, 5)
  await stored(data, 7)
  expect((await second.stop()).exitCode).toBe(0)
  const records = await storedRecords(data, 'kalshi', TICKER)
  const types = records.map(({ type }) => type)
  expect(types.filter((type) => type === 'delta')).toHaveLength(25)
  expect(types.slice(21)).toEqual(['gap', 'snapshot', 'delta', 'delta', 'delta', 'delta', 'delta'])
  const { reason, from, to } = records[21]!.msg as { reason: string; from: number; to: number }
  expect(reason).toBe('restart')
  expect(from).toBeLessThanOrEqual(killedMs)
  expect(to).toBeGreaterThan(killedMs)
})

test('a recorder whose folder is removed ends at SIGTERM, and reports what it could not store', async () => {
  const { data, config } = made()
  // Starts the recorder as a server does: its stdin is an open pipe, which must not keep it running.
  const recorder = recordProcess(data, config, '--until-stdin-ends')
  await sendDeltas(data, 5)
  await stored(data, 6)
  rmSync(data, { recursive: true })
  venue.delta(TICKER, 'yes', 4_000, 100)
  await Bun.sleep(500)
  const { exitCode, err } = await recorder.stop()
  expect([exitCode, err]).toEqual([1, expect.stringContaining('the last lines are not on the disk: ENOENT')])
})

test('a second recorder on the same folder is refused', async () => {
  const { data, config } = made()
  const first = recordProcess(data, config)
  await seenOf(data, ({ state }) => state === 'recording')
  const { exitCode, err } = await recordProcess(data, config).ended()
  expect(exitCode).toBe(1)
  expect(err).toBe(
    `backbook: another recorder (process ${first.pid}) runs on ${data}: stop it, or record to another folder\n`,
  )
  await first.stop()
})

test('--exit-when-done ends with the venue', async () => {
  const { data, config } = made()
  const recorder = recordProcess(data, config, '--exit-when-done')
  await sendDeltas(data, 10)
  for (const { socket } of [...venue.peers]) socket.close(1_000)
  expect((await recorder.ended()).exitCode).toBe(0)
  expect(await storedRecords(data, 'kalshi', TICKER)).toHaveLength(11)
})

describe('serve --record', () => {
  const served = async (data: string, config: string, more: Record<string, string> = {}) => {
    const words = ['serve', '--data', data, '--port', '0', '--record', config, '--local-access', 'open']
    const env = { PATH: process.env['PATH'] ?? '', WORKER_THREADS: '1', ...more }
    const child = Bun.spawn([process.execPath, MAIN, ...words], { env, stdout: 'pipe', stderr: 'ignore' })
    const { value } = await child.stdout.getReader().read()
    return { child, url: /http:\S+/.exec(new TextDecoder().decode(value))![0] }
  }
  const healthOf = async (url: string) => (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>

  test('runs a recorder that the server reports and that stops with the server', async () => {
    const { data, config } = made()
    const { child, url } = await served(data, config)
    await sendDeltas(data, 10)
    await stored(data, 11)
    expect(await healthOf(url)).toMatchObject({ status: 'ok', recorder: 'recording' })
    const page = await fetch(`${url}/kalshi/market/list`)
    expect(await page.json()).toMatchObject({ markets: [TICKER] })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(readStatus(data, Date.now())?.state).toBe('stopped')
  })

  test.skipIf(process.platform !== 'linux')('gives it no secret of the server', async () => {
    const { data, config } = made()
    const { child } = await served(data, config, { ADMIN_TOKEN: 'admin-secret', MONITORING_TOKEN: 'monitor-secret' })
    const { status } = await seenOf(data, ({ state }) => state === 'recording')
    const variablesOf = async (pid: number) => (await Bun.file(`/proc/${pid}/environ`).text()).split('\0')
    expect(await variablesOf(child.pid)).toContain('ADMIN_TOKEN=admin-secret')
    expect((await variablesOf(status.pid)).filter((each) => each.includes('secret'))).toEqual([])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('stops it in an orderly way if both get the signal, as from terminals and systemd', async () => {
    const { data, config } = made()
    const { child } = await served(data, config)
    await sendDeltas(data, 10)
    const { status } = await stored(data, 11)
    // The second signal comes after the recorder has handled the first, as the server's own signal does.
    for (let i = 0; i < 3; i++) {
      process.kill(status.pid, 'SIGINT')
      await Bun.sleep(1)
    }
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(readStatus(data, Date.now())?.state).toBe('stopped')
  })

  test('starts it again when it ends, and ends it with a server that is killed', async () => {
    const { data, config } = made()
    const { child } = await served(data, config)
    const first = await seenOf(data, ({ state }) => state === 'recording')
    process.kill(first.status.pid, 'SIGKILL')
    const second = await seenOf(data, ({ state, status }) => state === 'recording' && status.pid !== first.status.pid)
    child.kill('SIGKILL')
    expect((await seenOf(data, ({ state }) => state === 'stopped')).status.pid).toBe(second.status.pid)
  })
})

describe('--check', () => {
  test('lists what would be recorded, and records nothing', async () => {
    const rest = new RestServer()
    rest.tickers = [1, 2, 3].map((n) => ({ ticker: `A-1-T${n}`, event: 'A-1', series: 'A' }))
    const { url, stop } = rest.listen()
    const folder = emptyFolder()
    const address = `ws_url = "${venue.wsUrl}"\nrest_url = "${url}/trade-api/v2"\n`
    const text = `[kalshi]\n${address}series = ["A"]\nper_connection = 2\n`
    const words = ['record', '--data', `${folder}/data`, '--config', recordToml(folder, text), '--check', '--json']
    const { exitCode, out, err } = await runBackbook(words)
    await stop()
    expect([exitCode, err]).toEqual([0, ''])
    expect(JSON.parse(out).venues).toEqual([
      {
        venue: 'kalshi',
        markets: 3,
        books: 3,
        connections: 2,
        markets_left_out: 0,
        ws_url: venue.wsUrl,
        rest_requests: expect.any(Number),
        is_signed: false,
        connects: true,
        problems: [],
      },
    ])
    expect(await Bun.file(`${folder}/data/recorder/status.json`).exists()).toBe(false)
  })

  test('fails if the request to the venue fails, and says why', async () => {
    const folder = emptyFolder()
    using rest = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('no', { status: 403 }) })
    const text = `[kalshi]\nws_url = "${venue.wsUrl}"\nrest_url = "${rest.url.origin}"\nseries = ["A"]\n`
    const { exitCode, err } = await runBackbook(['record', '--config', recordToml(folder, text), '--check'])
    expect(exitCode).toBe(1)
    expect(err).toContain('the request to kalshi for all markets failed')
  })
})

describe('a data folder', () => {
  const folder = emptyFolder()
  const file = recordToml(folder, '[kalshi]\nws_url = "ws://127.0.0.1:1"\ntickers = ["A"]\n')

  test.each([
    [['record', '--config', file, '--data', file], `got "${file}": there is a file`],
    [['record', '--config', file, '--data', `${file}/data`], `got "${file}/data": there is a file on the way to it`],
    [['serve', '--port', '0', '--data', file], `got "${file}": there is a file`],
  ])('that cannot be one is refused: %j', async (words, message) => {
    const { exitCode, err } = await runBackbook(words)
    const accepted = 'backbook: the data folder must be a folder, or where one can be made, '
    expect([exitCode, err]).toEqual([2, `${accepted}${message}\n`])
  })

  test('whose store cannot be opened still takes recordings, and the log says what has stopped', async () => {
    const { data, config } = made()
    await Bun.write(`${data}/store`, 'no folder')
    const recorder = recordProcess(data, config)
    await seenOf(data, ({ status }) => status.problems.some((problem) => problem.startsWith('Nothing is loaded')))
    const { exitCode, err } = await recorder.stop()
    expect(exitCode).toBe(1)
    expect(err).toContain('"message":"loading has stopped until the next start; new messages stay in segments"')
  })
})

test.each([
  [['record'], "required option '--config <file>' not specified"],
  [['record', '--config', '/nowhere.toml'], 'cannot read /nowhere.toml'],
  [['serve', '--record', '/nowhere.toml'], 'cannot read /nowhere.toml'],
])('%j is refused', async (words, message) => {
  const { exitCode, err } = await runBackbook(words)
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
})
