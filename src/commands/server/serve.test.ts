// long: it waits for threads and processes
// Tests `serve` as a process: the line that it prints, its signals, and the settings that it refuses to start with.

import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Metrics } from '../../../test/support/metrics-text.ts'
import { serveProcess } from '../../../test/support/programs/serve-process.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import { readConfig } from '../../config/config.ts'
import { assertManagementIsGuarded } from './serve.ts'

const MAIN = join(import.meta.dir, '../../main.ts')

function spawnServe(words: string[], env: Record<string, string> = {}) {
  const environment = {
    ...process.env,
    ADMIN_TOKEN: '',
    MANAGEMENT_ACCESS: '',
    WORKER_THREADS: '1',
    ...env,
  }
  return Bun.spawn([process.execPath, MAIN, 'serve', ...words], { stdout: 'pipe', stderr: 'pipe', env: environment })
}

/** Returns the server's address from its output, which has the address of the explorer in the next line. */
async function addressOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const bytes of stream) {
    text += new TextDecoder().decode(bytes)
    if (text.split('\n').length > 2) break
  }
  const [, url = ''] = /^backbook listening on (\S+)\n/.exec(text) ?? []
  expect(text).toBe(`backbook listening on ${url}\nin a browser: ${url}/explore\n`)
  return url
}

test('with --log-format json every line that it prints is an entry', async () => {
  using folder = temporaryFolder()
  await using node = await serveProcess(folder.path, { LOG_FORMAT: 'json' })
  const { out, err } = await node.stop()
  const lines = `${out}${err}`.trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    `backbook listening on ${node.url} in a browser: ${node.url}/explore`,
    'listening',
    'stopping: finishing running requests',
    'stopped',
  ])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'serve prints its address, answers, and ends with 0 on %s',
  async (signal) => {
    using folder = temporaryFolder()
    const child = spawnServe(['--data', join(folder.path, 'new'), '--port', '0'])
    const url = await addressOf(child.stdout)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/)

    const made = await fetch(`${url}/keys?user_id=ann&name=laptop`, { method: 'POST' })
    const { data } = (await made.json()) as { data: { api_key: string } }
    const headers = { authorization: `Bearer ${data.api_key}` }
    const listed = await fetch(`${url}/api/v1/kalshi/market/list`, { headers })
    expect(await listed.json()).toMatchObject({ markets: [], total_count: 0 })
    await fetch(`${url}/kalshi/market/date-range?ticker=KXNONE`, { headers })

    child.kill(signal)
    expect(await child.exited).toBe(0)
    const log = (await child.stderr.text()).trimEnd().split('\n')
    expect(log.map((line) => JSON.parse(line).message)).toEqual([
      'listening',
      'stopping: finishing running requests',
      'stopped',
    ])
    const accounts = await openAccounts(accountsUrl(null, join(folder.path, 'new')))
    expect((await accounts.usage('ann')).calls).toBe(2)
    await accounts.close()
  },
)

test('a real server reports its store, its disk, its threads and its requests', async () => {
  using folder = temporaryFolder()
  const env = {
    ACCESS_LOG: 'on',
    MONITORING_TOKEN: 'monitoring-token',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const child = spawnServe(['--data', folder.path, '--port', '0'], env)
  const url = await addressOf(child.stdout)
  const headers = { 'x-monitoring-token': 'monitoring-token', 'x-forwarded-for': '203.0.113.9' }
  const status = (await (await fetch(`${url}/monitoring/status`, { headers })).json()) as {
    components: { name: string; figures: Record<string, number> }[]
  }
  const figures = Object.fromEntries(status.components.map(({ name, figures }) => [name, figures]))
  expect(figures['storage']).toMatchObject({ markets: 0, blocks: 0, reader_slots: 256 })
  expect(figures['storage']!['file_bytes']).toBeGreaterThan(0)
  expect(figures['disk']!['free_bytes']).toBeGreaterThan(0)
  // The warm-up of the threads does not count as a task of a client.
  expect(figures['workers']).toMatchObject({ threads: 1, queue_max: 64, recent_tasks: 0 })
  const metrics = new Metrics(await (await fetch(`${url}/metrics`, { headers })).text())
  expect(metrics.value('backbook_http_requests_in_flight')).toBe(1)
  expect(metrics.value('backbook_http_requests_total', { route: '/monitoring/status' })).toBe(1)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)

  const log = (await child.stderr.text()).trimEnd().split('\n')
  const requests = log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
  expect(requests.map(({ path, address }) => `${path} ${address}`)).toEqual([
    '/monitoring/status 203.0.113.9',
    '/metrics 203.0.113.9',
  ])
})

test('serve refuses to listen beyond this machine without a token', async () => {
  using folder = temporaryFolder()
  const child = spawnServe(['--data', folder.path, '--host', '0.0.0.0', '--port', '0'])
  expect(await child.exited).toBe(2)
  expect(await child.stderr.text()).toContain('set ADMIN_TOKEN, or MANAGEMENT_ACCESS=open')
})

test('serve refuses a configuration that is wrong', async () => {
  using folder = temporaryFolder()
  const child = spawnServe(['--data', folder.path, '--port', '0'], { MANAGEMENT_ACCESS: 'maybe' })
  expect(await child.exited).toBe(2)
  expect(await child.stderr.text()).toBe('backbook: MANAGEMENT_ACCESS must be "open" or not set, got "maybe"\n')
})

test('serve reports which accounts it cannot open, without their password', async () => {
  using folder = temporaryFolder()
  const env = { ACCOUNTS_URL: 'postgres://ann:hidden@127.0.0.1:1/accounts' }
  const child = spawnServe(['--data', folder.path, '--port', '0'], env)
  expect(await child.exited).toBe(1)
  const errorText = await child.stderr.text()
  expect(errorText).toStartWith('backbook: Cannot open the accounts at 127.0.0.1:1/accounts: ')
  expect(errorText).not.toContain('hidden')
})

test('serve reports that the port is taken', async () => {
  using folder = temporaryFolder()
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
  const child = spawnServe(['--data', folder.path, '--port', String(taken.port)])
  expect(await child.exited).toBe(1)
  expect(await child.stderr.text()).toContain(`cannot listen on 127.0.0.1 port ${taken.port}`)
  await taken.stop(true)
})

test.each([
  ['127.0.0.1', {}, true],
  ['localhost', {}, true],
  ['::1', {}, true],
  ['0.0.0.0', {}, false],
  ['::', {}, false],
  ['192.168.0.7', {}, false],
  ['0.0.0.0', { ADMIN_TOKEN: 'admin-token' }, true],
  ['0.0.0.0', { MANAGEMENT_ACCESS: 'open' }, true],
])('listening on %s with %p: %p', (host, variables, isAllowed) => {
  let message = ''
  try {
    assertManagementIsGuarded(readConfig({ flags: { host }, variables }, 1))
  } catch (error) {
    message = (error as Error).message
  }
  expect(message === '').toBe(isAllowed)
})

test('calls that are written survive kill -9', async () => {
  using folder = temporaryFolder()
  const child = spawnServe(['--data', folder.path, '--port', '0'])
  const url = await addressOf(child.stdout)
  const made = await fetch(`${url}/keys?user_id=ann&name=laptop`, { method: 'POST' })
  const { data } = (await made.json()) as { data: { api_key: string } }
  const call = () => fetch(`${url}/kalshi/market/list`, { headers: { authorization: `Bearer ${data.api_key}` } })
  for (let each = 0; each < 20; each++) expect((await call()).status).toBe(200)
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  while ((await accounts.requestCount('ann')) < 20) await Bun.sleep(50)
  await accounts.close()
  child.kill('SIGKILL')
  await child.exited
  const reopened = await openAccounts(accountsUrl(null, folder.path))
  expect((await reopened.usage('ann')).calls).toBe(20)
  await reopened.close()
})

test('serve refuses plans that cannot be read, and a configuration that lost a plan users are on', async () => {
  using folder = temporaryFolder()
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  await accounts.setPlan('ann', 'starter')
  await accounts.close()
  const plans = join(folder.path, 'plans.json')
  const refusal = async (text: string) => {
    await Bun.write(plans, text)
    const child = spawnServe(['--data', folder.path, '--port', '0'], { PLANS_FILE: plans })
    return [await child.exited, await child.stderr.text()]
  }
  expect(await refusal('{')).toEqual([2, expect.stringContaining(`Cannot use the plans in ${plans}`)])
  const without = '{"default":"a","plans":[{"id":"a","name":"A","calls_per_month":1}]}'
  expect(await refusal(without)).toEqual([
    2,
    expect.stringContaining('not configured: starter; add them to PLANS_FILE'),
  ])
})

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const)('a running request is finished after %s, and cancelled by a second signal: %s', async (first, second) => {
  using folder = temporaryFolder()
  const child = spawnServe(['--data', folder.path, '--port', '0'])
  const url = new URL(await addressOf(child.stdout))
  // The request keeps running because its body never arrives.
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('POST /keys?user_id=a&name=b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{')
  await untilInFlight(url)
  child.kill(first)
  await untilRefused(url)
  expect(child.exitCode).toBeNull()
  child.kill(second)
  await child.exited
  expect(child.signalCode).toBe(second)
  socket.destroy()
})

test('a request that does not end is cut when SHUTDOWN_SECONDS are over, and the exit code is 0', async () => {
  using folder = temporaryFolder()
  const child = spawnServe(['--data', folder.path, '--port', '0'], { SHUTDOWN_SECONDS: '1' })
  const url = new URL(await addressOf(child.stdout))
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('POST /keys?user_id=a&name=b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{')
  await untilInFlight(url)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  socket.destroy()
})

test('systemd is notified when the server answers and when it stops', async () => {
  using folder = temporaryFolder()
  const notifyLog = join(folder.path, 'notifications')
  await Bun.write(join(folder.path, 'bin', 'systemd-notify'), `#!/bin/sh\necho "$1" >> '${notifyLog}'\n`)
  chmodSync(join(folder.path, 'bin', 'systemd-notify'), 0o755)
  const path = `${join(folder.path, 'bin')}:${process.env['PATH']}`
  const env = { PATH: path, NOTIFY_SOCKET: '/run/systemd/notify' }
  const child = spawnServe(['--data', join(folder.path, 'data'), '--port', '0'], env)
  await addressOf(child.stdout)
  const lines = async (count: number) => {
    for (let tries = 0; tries < 200; tries++) {
      const text = existsSync(notifyLog) ? await Bun.file(notifyLog).text() : ''
      if (text.split('\n').length > count) return text
      await Bun.sleep(20)
    }
    return 'nothing'
  }
  expect(await lines(1)).toBe('READY=1\n')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(await lines(2)).toBe('READY=1\nSTOPPING=1\n')
  expect(await child.stderr.text()).not.toContain('systemd')
})

/** Waits until the server has a request in flight besides this function's own. */
async function untilInFlight(url: URL): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(new URL('/metrics', url))).text()
    if (Number(/^backbook_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) > 1) return
    await Bun.sleep(10)
  }
}

/** Resolves when the server accepts no new connections. */
async function untilRefused(url: URL): Promise<void> {
  for (;;) {
    const isTaken = await fetch(new URL('/health', url)).then(
      () => true,
      () => false,
    )
    if (!isTaken) return
    await Bun.sleep(10)
  }
}
