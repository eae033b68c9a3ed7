// Tests the configuration as the program uses it: defaults, units, and settings that depend on each other.

import { expect, test } from 'bun:test'
import { BlockList } from 'node:net'
import type { Origins } from '../http/server/cors.ts'
import { readConfig } from './config.ts'

test('without settings the server is for this machine alone', () =>
  expect(readConfig({ variables: { PATH: '/bin', ADMIN_TOKEN: '' } }, 4)).toEqual({
    data: 'data',
    cluster: null,
    sources: null,
    host: '127.0.0.1',
    port: 8080,
    adminToken: null,
    managementOpen: false,
    localAccessOpen: false,
    monitoringToken: null,
    corsOrigins: null,
    frameAncestors: null,
    logLevel: 'info',
    logFormat: null,
    accessLog: false,
    trustedProxies: null,
    accountsUrl: null,
    plansFile: null,
    stripe: null,
    gammaUrl: null,
    workerThreads: 4,
    answerCacheBytes: 48 * 1024 * 1024,
    dayFilesBytes: 2 ** 30,
    connectionsMax: 2_000,
    connectionsPerKeyMax: 200,
    idleSeconds: 75,
    shutdownMs: 30_000,
    drainMs: 0,
  }))

test('every setting takes effect', () => {
  const variables = {
    BACKBOOK_DATA: '/var/lib/backbook',
    SOURCES: 'pmxt-v2, x.1,pmxt-v2',
    BACKBOOK_HOST: '::1',
    BACKBOOK_PORT: '0',
    ADMIN_TOKEN: 'admin-token',
    MANAGEMENT_ACCESS: 'open',
    MONITORING_TOKEN: 'monitoring-token',
    CORS_ORIGINS: 'https://Charts.example:443, http://localhost:3000',
    FRAME_ANCESTORS: '*',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'text',
    ACCESS_LOG: 'on',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    ACCOUNTS_URL: 'postgres://u:p@h/d',
    PLANS_FILE: 'plans.json',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_URL: 'http://127.0.0.1:9',
    GAMMA_URL: 'https://gamma.example/',
    WORKER_THREADS: '3',
    ANSWER_CACHE_MB: '7',
    DAY_FILES_MB: '8',
    CONNECTIONS_MAX: '50',
    CONNECTIONS_PER_KEY_MAX: '5',
    IDLE_SECONDS: '20',
    SHUTDOWN_SECONDS: '5',
    DRAIN_SECONDS: '7',
  }
  expect(readConfig({ variables }, 4)).toEqual({
    data: '/var/lib/backbook',
    cluster: null,
    sources: ['pmxt-v2', 'x.1'],
    host: '::1',
    port: 0,
    adminToken: 'admin-token',
    managementOpen: true,
    localAccessOpen: false,
    monitoringToken: 'monitoring-token',
    corsOrigins: new Set(['https://charts.example', 'http://localhost:3000']),
    frameAncestors: '*',
    logLevel: 'warn',
    logFormat: 'text',
    accessLog: true,
    trustedProxies: expect.any(BlockList),
    accountsUrl: 'postgres://u:p@h/d',
    plansFile: 'plans.json',
    stripe: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiUrl: 'http://127.0.0.1:9' },
    gammaUrl: 'https://gamma.example',
    workerThreads: 3,
    answerCacheBytes: 7 * 1024 * 1024,
    dayFilesBytes: 8 * 2 ** 20,
    connectionsMax: 50,
    connectionsPerKeyMax: 5,
    idleSeconds: 20,
    shutdownMs: 5_000,
    drainMs: 7_000,
  })
})

test('local clients may go without a key, but not if a proxy is in front of the server', () => {
  const open = { LOCAL_ACCESS: 'open' }
  expect(readConfig({ variables: open }, 1)).toMatchObject({ localAccessOpen: true })
  expect(() => readConfig({ variables: { ...open, TRUSTED_PROXIES: '127.0.0.1' } }, 1)).toThrow(
    'LOCAL_ACCESS=open cannot be used together with TRUSTED_PROXIES: behind a proxy every client needs a key',
  )
})

test('the configuration cannot be changed', () => expect(Object.isFrozen(readConfig({}, 1))).toBe(true))

test.each([{ STRIPE_SECRET_KEY: 'sk_test_hunter2' }, { STRIPE_WEBHOOK_SECRET: 'whsec_hunter2' }])(
  'half of the settings of Stripe is refused: %#',
  (variables) => {
    const read = () => readConfig({ variables }, 1)
    expect(read).toThrow('set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither')
    expect(read).not.toThrow('hunter2')
  },
)

test.each(['10.0.0.0/33', '10.0.0.1,', 'fd00'])('proxies %p are refused', (text) =>
  expect(() => readConfig({ variables: { TRUSTED_PROXIES: text } }, 1)).toThrow('TRUSTED_PROXIES must be addresses'),
)

test.each<[string, Origins]>([
  ['*', '*'],
  ['https://a.example', new Set(['https://a.example'])],
  ['https://A.example:443 , http://[::1]:3000', new Set(['https://a.example', 'http://[::1]:3000'])],
])('origins %p are %p', (text, origins) =>
  expect(readConfig({ variables: { CORS_ORIGINS: text } }, 1).corsOrigins).toEqual(origins),
)

test.each(['https://a:99999', 'https://[', 'https://a.example, http://:1'])('origins %s are refused by name', (text) =>
  expect(() => readConfig({ variables: { FRAME_ANCESTORS: text } }, 1)).toThrow(
    /^FRAME_ANCESTORS must be \*, or origins .+, got "http.+"$/,
  ),
)

test('sources are names of archives', () => {
  expect(readConfig({ variables: { SOURCES: '*' } }, 1).sources).toEqual([])
  for (const given of ['own', 'a,own', 'A', 'a,', '*,a', 'a b']) {
    expect(() => readConfig({ variables: { SOURCES: given } }, 1)).toThrow(
      `SOURCES must be names of archives, separated by commas, or *, got ${JSON.stringify(given)}`,
    )
  }
})
