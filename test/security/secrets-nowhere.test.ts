// long: each command is a process
// Plants secrets in every place that a server reads them from, uses them rightly and wrongly, and then looks for them
// in every byte that the server stored or sent. Runs the program as a process.

import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { flagOf, SETTING_NAMES, settingOf } from '../../src/config/settings.ts'
import { json, onEachDatabase } from '../support/accounts.ts'
import { runBackbook } from '../support/programs/program.ts'
import { type ServeProcess, serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'
import { event, fakeStripe, PRICES, signatureOf } from '../support/stripe.ts'

const ADMIN = 'planted-admin-token'
const MONITORING = 'planted-monitoring-token'
const PLANS = {
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 1_000 },
    { id: 'starter', name: 'Starter', calls_per_month: null, stripe_price_ids: [PRICES.starter] },
  ],
}

type Made = { data: { key_id: string; api_key: string } }

/** Uses keys and tokens wherever a client could put them, and returns every byte of the answers, except the client's
 *  own words that an error quotes. */
async function useEverything(served: ServeProcess, keys: readonly string[], keyId: string): Promise<string> {
  const admin = { 'x-admin-token': ADMIN }
  const [key = ''] = keys
  const requests: [string, RequestInit?][] = [
    ['/api/v1/kalshi/market/list', { headers: { authorization: `Bearer ${key}` } }],
    ['/api/v1/kalshi/market/list', { headers: { authorization: `Basic ${btoa(`ann:${key}`)}` } }],
    ['/api/v1/kalshi/market/list', { headers: { authorization: `Bearer ${key}`, 'user-agent': key } }],
    ['/api/v1/kalshi/market/list', { headers: { authorization: `Bearer ${key}`, 'x-request-id': key } }],
    ['/api/v1/kalshi/market/list', { headers: { authorization: `Bearer ${key}`, traceparent: key, baggage: key } }],
    ['/api/v1/kalshi/market/data?ticker=KXNONE&date=2026-01-01', { headers: { authorization: `Bearer ${key}` } }],
    [`/replay?from=2026-01-01&to=2026-01-02&markets=kalshi:KXNONE&key=${key}`],
    [`/replay/kalshi/trade-api/ws/v2?from=${key}&key=${key}`],
    [`/replay?key=%zz${key}`, { headers: { upgrade: 'websocket', authorization: `Bearer ${key}` } }],
    [`/market/list?api_key=${key}&token=${ADMIN}`],
    [`/${key}/${ADMIN}/${MONITORING}`],
    [`/${encodeURIComponent(`Bearer ${key}`)}`],
    [`/%2F${key}%2F${ADMIN}`],
    [`/keys/${key}/name`, { headers: admin }],
    ['/keys?user_id=ann', { headers: admin }],
    [`/keys/${keyId}/name`, { headers: admin }],
    ['/usage?user_id=ann', { headers: admin }],
    ['/user/ann/requests/recent', { headers: admin }],
    ['/stats', { headers: admin }],
    ['/keys?user_id=ann', { headers: { 'x-admin-token': `${ADMIN}x` } }],
    ['/keys?user_id=ann', { headers: { authorization: `Bearer ${ADMIN}` } }],
    ['/metrics', { headers: { 'x-monitoring-token': MONITORING } }],
    ['/metrics', { headers: { authorization: `Bearer ${MONITORING}` } }],
    ['/metrics', { headers: { authorization: `Bearer ${MONITORING}x` } }],
    ['/monitoring/status', { headers: { 'x-monitoring-token': MONITORING } }],
    ['/monitoring/status'],
    ['/health'],
    ['/docs'],
    ['/docs/json'],
    ['/docs/settings.md'],
    ['/llms.txt'],
    ['/keys', { ...json('POST', { user_id: 'ann', name: key.repeat(9) }, admin) }],
    ['/keys', { method: 'POST', body: `{"user_id": "${ADMIN}`, headers: { ...admin, 'content-type': ADMIN } }],
    [
      '/subscriptions/checkout',
      json(
        'POST',
        { user_id: 'ann', email: 'a@b.example', success_url: 'https://a.b', cancel_url: 'https://a.b' },
        admin,
      ),
    ],
    ['/webhooks/stripe', { method: 'POST', body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } }],
  ]
  const responseTexts: string[] = []
  for (const [path, init] of requests) {
    const response = await fetch(`${served.url}${path}`, init)
    const headers = [...response.headers].filter(([name]) => name !== 'date')
    const answer = `${response.status} ${JSON.stringify(headers)} ${await response.text()}`
    const ownWords = [path, init?.body, new Headers(init?.headers).get('content-type')].join()
    responseTexts.push(
      [...keys, ADMIN, MONITORING].reduce(
        (text, word) => (ownWords.includes(word) ? text.replaceAll(word, '') : text),
        answer,
      ),
    )
  }
  return responseTexts.join('\n')
}

const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
    .join('\n')

/** Returns everything in the database. */
async function rowsOf(url: string): Promise<string> {
  if (url.startsWith('sqlite:')) return ''
  const sql = new SQL(url, { max: 1 })
  const tables: { name: string }[] =
    await sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
  const rows = []
  for (const { name } of tables) rows.push(JSON.stringify(await sql.unsafe(`SELECT * FROM "${name}"`)))
  await sql.close()
  return rows.join('\n')
}

onEachDatabase((make) => {
  test('a planted secret is in no file, log, metric, answer, command line or child process', async () => {
    await using database = await make()
    using folder = temporaryFolder()
    using stripe = fakeStripe()
    const inside = (name: string) => join(folder.path, name)
    mkdirSync(inside('bin'))
    // The server runs this script. It appends its environment and its arguments to a file.
    writeFileSync(inside('bin/systemd-notify'), `#!/bin/sh\n{ env; echo "$@"; } >> '${inside('notified')}'\n`)
    chmodSync(inside('bin/systemd-notify'), 0o755)
    writeFileSync(inside('plans.json'), JSON.stringify(PLANS))
    const env = {
      ADMIN_TOKEN: ADMIN,
      MONITORING_TOKEN: MONITORING,
      STRIPE_SECRET_KEY: stripe.settings.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.settings.webhookSecret,
      STRIPE_API_URL: stripe.settings.apiUrl!,
      ACCOUNTS_URL: database.url,
      PLANS_FILE: inside('plans.json'),
      ACCESS_LOG: 'on',
      LOG_LEVEL: 'debug',
      NOTIFY_SOCKET: inside('no-socket'),
      PATH: `${inside('bin')}:${process.env['PATH']}`,
    }
    await using served = await serveProcess(inside('data'), env)
    const commandLine = readFileSync(`/proc/${served.pid}/cmdline`, 'latin1')

    const admin = { 'x-admin-token': ADMIN }
    const made = (await (
      await fetch(`${served.url}/keys`, json('POST', { user_id: 'ann', name: 'n' }, admin))
    ).json()) as Made
    const { key_id: keyId, api_key: first } = made.data
    const rotate = await fetch(`${served.url}/keys/${keyId}/rotate?user_id=ann`, { method: 'POST', headers: admin })
    const second = ((await rotate.json()) as Made).data.api_key
    let answers = await useEverything(served, [second, first], keyId)
    stripe.isAway = true
    answers += await useEverything(served, [first, second], keyId)
    stripe.isAway = false
    const paid = event('customer.subscription.created', { id: ADMIN }, 1)
    const wrong = { 'stripe-signature': await signatureOf(paid, 'whsec_another') }
    answers += await (
      await fetch(`${served.url}/webhooks/stripe`, { method: 'POST', body: paid, headers: wrong })
    ).text()

    const command = { env, cwd: folder.path }
    const backup = await runBackbook(['backup', '--data', inside('data'), inside('backup')], command)
    expect(backup.exitCode).toBe(0)
    const shown = [
      await runBackbook(['serve', '--print-config'], command),
      await runBackbook(['serve', '--print-config', '--json'], command),
      await runBackbook(['keys', 'list', '--user', 'ann'], command),
      await runBackbook(['serve', '--data', '/proc/none'], command),
    ]
    const { out, err } = await served.stop()
    const password = new URL(database.url.replace('sqlite:', 'http:')).password

    const places: Record<string, string> = {
      answers,
      'command line': commandLine,
      data: bytesIn(inside('data')),
      backup: bytesIn(inside('backup')),
      database: (await rowsOf(database.url)) + accountsFiles(database.url),
      log: err,
      stdout: out,
      child: readFileSync(inside('notified'), 'utf8'),
      shown: JSON.stringify([backup, shown]),
    }
    const secrets: Record<string, string> = {
      ...{ ADMIN, MONITORING, first, second, password },
      ...{ stripe: stripe.settings.secretKey, webhook: stripe.settings.webhookSecret },
    }
    const found = Object.entries(places).flatMap(([place, bytes]) =>
      Object.entries(secrets).flatMap(([name, secret]) =>
        secret && spelled(secret).some((each) => bytes.includes(each)) ? `${name} in ${place}` : [],
      ),
    )
    expect(found).toEqual([])

    // Each place must have had some content when it was checked.
    for (const [place, bytes] of Object.entries(places)) expect([place, bytes.length > 10]).toEqual([place, true])
    expect(places['database']).toContain(keyId)
    expect(places['log']!.match(/"message":"request"/g)!.length).toBeGreaterThan(50)
    expect(places['log']).toContain('[secret]')
    expect(places['child']).toContain('READY=1')
  })
})

/** Returns the spellings of a secret: plain, in a URL, and in Basic credentials. */
const spelled = (secret: string) => [secret, encodeURIComponent(secret), btoa(`ann:${secret}`)]

const accountsFiles = (url: string): string =>
  url.startsWith('sqlite:') ? bytesIn(join(url.slice('sqlite://'.length), '..')) : ''

test('no flag takes a secret, because everybody on the machine could read it', () => {
  const secret = SETTING_NAMES.filter((name) => settingOf(name).secret === 'all')
  expect(secret.toSorted().map(String)).toEqual([
    ...['admin_token', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'],
    ...['monitoring_token', 'stripe_secret_key', 'stripe_webhook_secret'],
  ])
  expect(secret.filter((name) => flagOf(name) !== null)).toEqual([])
})

test.each(['admin_token = "planted-secret" "', 'admin_token = "planted-secret\n', 'admin_tokn = "planted-secret"'])(
  'the error about an invalid file of settings (%j) does not quote its content',
  async (text) => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'backbook.toml'), text)
    const { exitCode, out, err } = await runBackbook(['serve', '--port', '0'], { cwd: folder.path })
    expect(exitCode).toBe(2)
    expect(out + err).not.toContain('planted')
  },
)
