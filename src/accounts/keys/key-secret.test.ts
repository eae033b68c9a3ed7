// Tests the secrets of API keys: their form, and what is stored of them.

import { expect, test } from 'bun:test'
import { DIGEST_BYTES, digestSecret, isSecret, newSecret, secretDigestHex } from './key-secret.ts'

test('a secret is bb_ and 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  expect(new Set(secrets).size).toBe(100)
  expect(secrets.filter((secret) => !isSecret(secret))).toEqual([])
  expect(Buffer.from(secrets[0]!.slice(3), 'base64url')).toHaveLength(32)
})

test.each(['', 'bb_', `bb_${'x'.repeat(42)}`, `bb_${'x'.repeat(44)}`, `xx_${'x'.repeat(43)}`, `bb_${'.'.repeat(43)}`])(
  '%p is no secret',
  (text) => expect(isSecret(text)).toBe(false),
)

test('the digest is SHA-256', () => {
  // The hash is the first example of FIPS 180-2.
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(secretDigestHex('abc')).toBe(expected)
  const digest = new Uint8Array(DIGEST_BYTES)
  digestSecret('abc', digest)
  expect(Buffer.from(digest).toString('hex')).toBe(expected)
})
