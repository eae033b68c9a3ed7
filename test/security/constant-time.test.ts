// The program compares secrets by digests of equal length, always to the end. So the duration of an answer does not
// show how much of a guess was right. The test checks the code, since such durations are too short to measure.

import { expect, test } from 'bun:test'
import { newSecret, secretDigestHex } from '../../src/accounts/keys/key-secret.ts'
import { isSameSecret } from '../../src/http/access/management-access.ts'

const sourceOf = (file: string) => Bun.file(file).text()

test.each([
  ['src/http/access/management-access.ts', 'timingSafeEqual(digest(given), digest(expected))'],
  ['src/http/access/monitoring-access.ts', 'isSameSecret(given, token)'],
  ['src/accounts/keys/key-directory.ts', 'timingSafeEqual(entry.digest, digest)'],
  ['workers/bytes/sealed-text.ts', 'timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(secret, purpose, payload))'],
  ['src/accounts/billing/stripe-billing.ts', 'stripe.webhooks.constructEventAsync(body, signature, webhookSecret)'],
])('%s compares with %s', async (file, comparison) => expect(await sourceOf(file)).toContain(comparison))

const SECRET = '\\w*(?:[tT]oken|[sS]ecret|[dD]igest|[sS]ignature|[pP]assword|\\btagOf)'
/** Matches a secret next to an operator or a method that stops at the first difference. */
const EARLY_ENDS = [
  new RegExp(`\\b${SECRET}(?:\\(.*?\\))? *[!=]==?(?!=| *(?:null\\b|undefined\\b|'all'|'password'))`),
  new RegExp(`[!=]==? *(?:\\w+\\.)*${SECRET}\\b`),
  new RegExp(`\\b${SECRET}\\.(?:startsWith|endsWith|includes|equals|localeCompare|indexOf|match)\\(`),
]
const endsEarly = (line: string) => EARLY_ENDS.some((each) => each.test(line))

test('no code compares a secret in another way', async () => {
  const found = []
  for (const file of new Bun.Glob('src/{accounts,http,routes}/**/*.ts').scanSync('.')) {
    if (file.endsWith('.test.ts')) continue
    for (const line of (await sourceOf(file)).split('\n')) if (endsEarly(line)) found.push(`${file}: ${line.trim()}`)
  }
  expect(found).toEqual([])
  const careless = [
    'if (given === adminToken) return',
    'adminToken !== given',
    'secret.startsWith(given)',
    'tagOf(a) == b',
  ]
  expect(careless.filter((line) => !endsEarly(line))).toEqual([])
})

test('guesses of any length and kind are compared, and none is accepted as the secret', () => {
  const secret = 'a secret of the operator'
  const guesses = [
    '',
    secret.slice(1),
    secret.slice(0, -1),
    `${secret} `,
    secret.toUpperCase(),
    '\0',
    '🙂',
    'x'.repeat(100_000),
  ]
  for (const guess of guesses) expect(isSameSecret(guess, secret)).toBe(false)
  expect(isSameSecret(secret, secret)).toBe(true)
})

test('a key has 256 random bits, and the server stores only its SHA-256', () => {
  const secrets = Array.from({ length: 1_000 }, newSecret)
  expect(new Set(secrets).size).toBe(1_000)
  for (const secret of secrets) expect(Buffer.from(secret.slice('bb_'.length), 'base64url')).toHaveLength(32)
  expect(secretDigestHex('bb_')).toBe(new Bun.CryptoHasher('sha256').update('bb_').digest('hex'))
})
