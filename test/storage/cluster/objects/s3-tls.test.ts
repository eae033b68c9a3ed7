// Goal: a client sends requests to a store over TLS only if it trusts the store's certificate. The runtime reads the
// trusted authorities once, at process start.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startS3Double, TEST_AUTHORITY } from '../../../support/cluster/s3-double.ts'
import { objectSettingsOf } from '../../../support/cluster/s3-server.ts'

const double = startS3Double({ tls: true })
afterAll(() => double.stop())

const ask = async (url: string, env: Record<string, string>) => {
  const settings = objectSettingsOf(url, { bucket: 'books', prefix: 'p' })
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../support/cluster/ask-objects.ts')], {
    env: { PATH: process.env['PATH'], OBJECT_SETTINGS: JSON.stringify(settings), ...env },
  })
  return (await child.stdout.text()).trim()
}

test('an authority that NODE_EXTRA_CA_CERTS names is trusted', async () =>
  expect(await ask(double.url, { NODE_EXTRA_CA_CERTS: TEST_AUTHORITY })).toBe('answered'))

test('another authority is not trusted, and the error says what to do', async () =>
  expect(await ask(double.url, {})).toContain('NODE_EXTRA_CA_CERTS can name a file with more'))

test('the error says that a server has no TLS', async () => {
  const plain = startS3Double()
  const error = await ask(plain.url.replace('http:', 'https:'), {})
  await plain.stop()
  expect(error).toContain('it does not speak TLS')
})
