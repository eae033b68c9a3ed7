// Goal: with sslmode=verify-full, requests go to a catalogue over TLS only, and only if its certificate is from an
// authority that this machine or NODE_EXTRA_CA_CERTS trusts, and is issued for the host in the URL.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { TEST_AUTHORITY } from '../../support/cluster/s3-double.ts'
import { noPostgresServer, type PostgresServer, startPostgres } from '../../support/postgres-server.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/tls')
const SERVER = { key: join(FIXTURES, 'server-key.pem'), certificate: join(FIXTURES, 'server.pem') }
const TRUSTING = { NODE_EXTRA_CA_CERTS: TEST_AUTHORITY }
const ASK = join(import.meta.dir, '../../support/cluster/ask-catalogue.ts')

async function ask(url: string, env: Record<string, string>): Promise<string> {
  const own = { PATH: process.env['PATH'] ?? '', CATALOGUE_URL: `${url}?sslmode=verify-full`, ...env }
  const child = Bun.spawn([process.execPath, ASK], { env: own, stdout: 'pipe', stderr: 'pipe' })
  return `${await child.stdout.text()}${await child.stderr.text()}`.trim()
}

const suite = () => {
  let encrypted: PostgresServer
  let plain: PostgresServer
  beforeAll(async () => {
    encrypted = await startPostgres({ tls: SERVER })
    plain = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await Promise.all([encrypted, plain].map((server) => server[Symbol.asyncDispose]()))
  }, 30_000)

  test('an authority that NODE_EXTRA_CA_CERTS names is trusted', async () =>
    expect(await ask(encrypted.url, TRUSTING)).toBe('encrypted'))

  test('another authority is not trusted, and the error says what to do', async () =>
    expect(await ask(encrypted.url, {})).toBe(
      'The catalogue does not answer: its certificate is of an authority that is not trusted here; ' +
        'NODE_EXTRA_CA_CERTS can name a file with more',
    ))

  test('a certificate of another host is refused', async () => {
    const elsewhere = encrypted.url.replace('127.0.0.1', '127.0.0.2')
    expect(await ask(elsewhere, TRUSTING)).toBe('The catalogue does not answer: its certificate is of another host')
  })

  test('a server without TLS is refused', async () =>
    expect(await ask(plain.url, TRUSTING)).toBe('The catalogue does not answer: Server does not support SSL'))
}

if (noPostgresServer === undefined) describe('a catalogue over TLS', suite)
else describe.skip(`a catalogue over TLS: skipped, ${noPostgresServer}`, suite)
