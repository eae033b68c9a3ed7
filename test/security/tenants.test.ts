// long: each case in every kind of store or of compression
// No user can see or change another user's data, keys or payments, however much their ids look alike. No text of a
// client becomes a part of an SQL statement. Runs on both databases.

import { expect, test } from 'bun:test'
import { json, type MakeEmpty, onEachDatabase, serveAccounts } from '../support/accounts.ts'
import { CONDITION, NO_TOKENS, TICKER } from '../support/server.ts'

const TOKEN = 'admin-token-of-this-test'
const ADMIN = { 'x-admin-token': TOKEN }
const LIST = '/api/v1/kalshi/market/list'

const serve = (make: MakeEmpty) => serveAccounts(make, { config: { ...NO_TOKENS, adminToken: TOKEN } })
type Served = Awaited<ReturnType<typeof serve>>

async function makeKey(served: Served, user_id: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await served.ask(
    '/keys',
    json('POST', { user_id, name: `of ${user_id}`.slice(0, 200), ...more }, ADMIN),
  )
  expect([user_id, status]).toEqual([user_id, 200])
  const { key_id, api_key } = (body as { data: { key_id: string; api_key: string } }).data
  return { id: key_id, secret: api_key }
}

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  status < 400 ? String(status) : (body as { code: string }).code

/** Ids that look alike to a reader, a file system, a shell, a database's collation, or a client that builds
 *  addresses from texts. */
const ALIKE = [
  ...[
    'a',
    'A',
    'a ',
    ' a',
    'a\u0301',
    '\u00e1',
    '\u1d00',
    '\uff41',
    'a\u200b',
    '\u202ea',
    '\u0430',
    'İ',
    'i',
    'ı',
    'I',
  ],
  ...['ß', 'ss', 'a/b', 'a%2Fb', 'a%252Fb', 'a\\b', '../a', 'a/../b', 'b', 'a?b', 'a#b', 'a&user_id=b', 'a;b', 'a,b'],
  ...["a'b", "a''b", 'a"b', 'a`b', '%', '_', 'a%', '*', '{a}', 'null', 'undefined', 'NULL', 'true', '0', '00'],
  ...[
    '1e1',
    '10',
    '-1',
    '__proto__',
    'constructor',
    "a'; DROP TABLE users; --",
    "' OR '1'='1",
    '🙂',
    '👩‍👩‍👧',
    'x'.repeat(200),
  ],
  ...[
    `${'x'.repeat(199)}y`,
    '\\x61',
    '\\u0061',
    '&#97;',
    '<script>alert(1)</script>',
    '$1',
    '?',
    ':a',
    '@a',
    'a\u00a0',
  ],
]

const INJECTIONS = [
  ...["'", '"', '`', ';', '--', '/*', '\\', "\\'", "''", "' OR 1=1 --", "'; DROP TABLE users; --", "' UNION SELECT"],
  ...[
    '1; DELETE FROM api_keys',
    '1 OR 1=1',
    "1' OR '1'='1",
    '$1',
    '?',
    '?1',
    ':user',
    '@user',
    '{"$gt":""}',
    '%',
    '_%',
  ],
  ...[
    "x' AND randomblob(1000000000) --",
    "x'||(SELECT secret_sha256 FROM api_keys)||'",
    "'); ATTACH DATABASE 'x' AS x; --",
  ],
  ...['$$; DROP TABLE users; $$', "E'\\x27'", '\u02bc', '\uff07', 'pg_sleep(60)', "x' || pg_sleep(60) || '"],
]

onEachDatabase((make) => {
  test('a key gives no access to management: not to its own usage, not to that of others', async () => {
    await using served = await serve(make)
    const ann = await makeKey(served, 'ann')
    const bob = await makeKey(served, 'bob')
    const paths = [
      ...['/keys?user_id=bob', `/keys/${bob.id}/name`, `/keys/${bob.id}/last-used`, '/usage?user_id=bob', '/stats'],
      ...['/user/bob/requests/count', '/user/bob/requests/recent', '/stats/popular-markets'],
      ...['/user/bob/requests/count/timeframe?start_time=1&end_time=2', '/subscriptions/status?user_id=bob'],
    ]
    for (const path of paths.flatMap((each) => [each, `/api/v1${each}`, each.replaceAll('bob', 'ann')])) {
      expect([path, codeOf(await served.call(ann.secret, path))]).toEqual([path, 'admin_token_missing'])
      const headers = { authorization: `Bearer ${ann.secret}`, 'x-admin-token': ann.secret, 'x-user-id': 'bob' }
      expect([path, codeOf(await served.ask(path, { headers }))]).toEqual([path, 'admin_token_wrong'])
    }
    for (const [method, path] of [
      ['POST', '/keys?user_id=bob&name=n'],
      ['DELETE', `/keys/${bob.id}?user_id=bob`],
      ['POST', `/keys/${bob.id}/rotate?user_id=bob`],
    ] as const) {
      const init = { method, headers: { authorization: `Bearer ${ann.secret}` } }
      expect(codeOf(await served.ask(path, init))).toBe('admin_token_missing')
    }
    expect((await served.call(bob.secret, LIST)).status).toBe(200)
  })

  test("a user's keys are revoked and rotated only with the user's own id", async () => {
    await using served = await serve(make)
    const bob = await makeKey(served, 'bob')
    await makeKey(served, 'ann')
    for (const user of ['ann', 'BOB', 'bob ', 'nobody', '%', "' OR '1'='1"]) {
      const query = `user_id=${encodeURIComponent(user)}`
      for (const [method, path] of [
        ['DELETE', `/keys/${bob.id}?${query}`],
        ['POST', `/keys/${bob.id}/rotate?${query}`],
      ] as const) {
        expect([user, codeOf(await served.ask(path, { method, headers: ADMIN }))]).toEqual([user, 'key_not_found'])
      }
    }
    expect((await served.call(bob.secret, LIST)).status).toBe(200)
  })

  test('a key for one venue reads no other, under any of its paths', async () => {
    await using served = await serve(make)
    const { secret } = await makeKey(served, 'ann', { scopes: ['kalshi'] })
    const other = await makeKey(served, 'ann', { scopes: ['polymarket'] })
    const day = 'date=2026-08-10'
    const polymarket = [
      ...[`market/data?condition_id=${CONDITION}&${day}`, `market/date-range?condition_id=${CONDITION}`, 'market/list'],
      ...[
        `market/coverage?condition_id=${CONDITION}`,
        `market/orderbook-summary?condition_id=${CONDITION}&${day}&asset_id=1`,
      ],
      `market/data/range?condition_id=${CONDITION}&start_timestamp=1&end_timestamp=2`,
    ]
    let refused = 0
    for (const prefix of ['', '/api/v1', '/polymarket', '/api/v1/polymarket']) {
      for (const path of polymarket) {
        const answer = codeOf(await served.call(secret, `${prefix}/${path}`))
        expect([path, ['scope_missing', 'route_unknown'].includes(answer) ? 'refused' : answer]).toEqual([
          path,
          'refused',
        ])
        if (answer === 'scope_missing') refused++
      }
    }
    expect(refused).toBeGreaterThan(12)
    for (const path of [`market/data?ticker=${TICKER}&${day}`, 'market/list', `market/date-range?ticker=${TICKER}`]) {
      expect(codeOf(await served.call(other.secret, `/kalshi/${path}`))).toBe('scope_missing')
      expect(codeOf(await served.call(secret, `/kalshi/${path}`))).toBe('200')
    }
  })

  test(`${ALIKE.length} users whose ids look alike are counted separately`, async () => {
    await using served = await serve(make)
    expect(new Set(ALIKE).size).toBe(ALIKE.length)
    const keys = []
    for (const user of ALIKE) keys.push(await makeKey(served, user))
    for (const [index, { secret }] of keys.entries()) {
      for (let calls = 0; calls <= index % 7; calls++) expect((await served.call(secret, LIST)).status).toBe(200)
    }
    for (const [index, user] of ALIKE.entries()) {
      const own = encodeURIComponent(user)
      const { id } = keys[index]!
      const get = async (path: string) => (await served.ask(path, { headers: ADMIN })).body
      expect(await get(`/usage?user_id=${own}`)).toMatchObject({ user_id: user, api_calls: 1 + (index % 7) })
      const listed = (await get(`/keys?user_id=${own}`)) as { api_keys: { id: string }[]; total: number }
      expect([listed.total, listed.api_keys.map((key) => key.id)]).toEqual([1, [id]])
      expect(await get(`/user/${own}/requests/count`)).toEqual({ user_id: user, total_requests: 1 + (index % 7) })
      const recent = (await get(`/user/${own}/requests/recent?limit=100`)) as { requests: { key_id: string }[] }
      expect(recent.requests.map((request) => request.key_id)).toEqual(Array(1 + (index % 7)).fill(id))
    }
    expect(await served.accounts.statistics()).toMatchObject({ users: ALIKE.length })
  })

  test.each([
    ...['', 'a\0b', '\0', 'a\nb', '\u001b[2J', 'a\u0085', '\u007f', 'x'.repeat(201), '🙂'.repeat(201)],
    // Unpaired surrogates: databases would store all of them as the same text.
    ...['\ud800', 'a\udc00b'],
    ...[[['a']], [{ a: 1 }], [1], [true], [null], [['a', 'b']]],
  ])('a user id of %j is refused', async (user_id) => {
    await using served = await serve(make)
    const made = await served.ask('/keys', json('POST', { user_id, name: 'n' }, ADMIN))
    expect([made.status, codeOf(made)]).toEqual([400, 'parameters_invalid'])
    expect((await served.accounts.statistics()).users).toBe(0)
  })

  test('a repeated parameter names no user', async () => {
    await using served = await serve(make)
    for (const path of ['/usage?user_id=ann&user_id=bob', '/keys?user_id=ann&user_id=bob', '/usage?user_id[]=ann']) {
      expect([path, (await served.ask(path, { headers: ADMIN })).status]).toEqual([path, 400])
    }
    const both = await served.ask('/keys?user_id=ann', json('POST', { user_id: 'bob', name: 'n' }, ADMIN))
    expect(both.status).toBe(400)
  })

  test('SQL in any parameter that reaches the database stays a text', async () => {
    await using served = await serve(make)
    const { id, secret } = await makeKey(served, 'ann')
    let requestCount = 0
    for (const text of INJECTIONS) {
      const own = encodeURIComponent(text)
      const paths = [
        ...[`/keys?user_id=${own}`, `/keys?user_id=ann&limit=${own}`, `/keys?user_id=ann&offset=${own}`],
        ...[`/keys/${own}/name`, `/keys/${own}/last-used`, `/usage?user_id=${own}`, `/user/${own}/requests/count`],
        ...[
          `/user/${own}/requests/recent`,
          `/user/ann/requests/recent?limit=${own}`,
          `/stats/popular-markets?days=${own}`,
        ],
        ...[
          `/user/ann/requests/count/timeframe?start_time=${own}&end_time=${own}`,
          `/stats/popular-markets?limit=${own}`,
        ],
        ...[`/user/${own}/requests/count/timeframe?start_time=1&end_time=2`, `/subscriptions/status?user_id=${own}`],
      ]
      for (const path of paths) {
        const { status, text: answer } = await served.ask(path, { headers: ADMIN })
        expect([path, [200, 400, 404, 503].includes(status)]).toEqual([path, true])
        if (status === 503) expect(answer).toContain('billing_not_configured')
        expect(answer).not.toMatch(/sqlite|postgres|syntax error|secret_sha256(?!%| FROM api_keys)/i)
        requestCount++
      }
      for (const init of [{ method: 'DELETE' }, { method: 'POST' }]) {
        const path = `/keys/${id}${init.method === 'POST' ? '/rotate' : ''}?user_id=${own}`
        expect(codeOf(await served.ask(path, { ...init, headers: ADMIN }))).toBe('key_not_found')
      }
      for (const path of [`/kalshi/market/data?ticker=${own}&date=${own}`, `/kalshi/market/list?prefix=${own}`]) {
        expect([200, 400, 404]).toContain((await served.call(secret, path)).status)
      }
      const bearer = { authorization: `Bearer ${encodeURIComponent(text)}` }
      expect(codeOf(await served.ask(LIST, { headers: bearer }))).toMatch(/^key_(?:unknown|missing)$/)
      // A field that accepts any text is stored unchanged.
      const made = await served.ask('/keys', json('POST', { user_id: text, name: text }, ADMIN))
      expect(codeOf(made)).toBe('200')
      const listed = await served.ask(`/keys?user_id=${own}`, { headers: ADMIN })
      expect(listed.body).toMatchObject({ user_id: text, api_keys: [{ name: text }], total: 1 })
    }
    expect(requestCount).toBe(INJECTIONS.length * 14)
    expect(await served.accounts.statistics()).toMatchObject({
      users: 1 + INJECTIONS.length,
      keys: { total: 1 + INJECTIONS.length, active: 1 + INJECTIONS.length },
    })
    expect((await served.call(secret, LIST)).status).toBe(200)
  })
})

test('SQL statements are never put together from texts', async () => {
  const files = [...new Bun.Glob('src/accounts/**/*.ts').scanSync('.')].filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(15)
  const unsafe = []
  for (const file of files) {
    const source = await Bun.file(file).text()
    for (const [call] of source.matchAll(/\.unsafe\((?!'PRAGMA [^']*'\)).*/g)) unsafe.push(`${file}: ${call}`)
  }
  // The exceptions consist of constants, of the program's own schema, and of a path with its quotes doubled.
  expect(new Set(unsafe.map((each) => each.split(':')[0]!.split('/').at(-1)))).toEqual(
    new Set(['migrations.ts', 'sqlite-copy.ts', 'sqlite-database.ts', 'guarded-sql.ts']),
  )
})
