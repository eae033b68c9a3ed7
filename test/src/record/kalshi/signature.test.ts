// Kalshi checks a signature with the public half of the key. So do these tests.

import { describe, expect, test } from 'bun:test'
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../../../../src/config/config-error.ts'
import { type KalshiKeySettings, kalshiSigner, signedPath } from '../../../../src/record/kalshi/signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const request = { method: 'GET', url: 'wss://venue.test/trade-api/ws/v2?a=1', atMs: 1_786_410_915_566 } as const

const isSignedBy = (signature: string, text: string, saltLength = 32): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
    Buffer.from(signature, 'base64'),
  )

/** What a refusal says; '' where nothing is refused. */
function refusal(settings: KalshiKeySettings): string {
  try {
    kalshiSigner(settings)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

describe('kalshiSigner', () => {
  test.each([
    ['PKCS#1', pkcs1],
    ['PKCS#8', pkcs8],
    ['a variable with written line ends', pkcs8.replaceAll('\n', '\\n')],
  ])('signs time, method and path without the query with a key in %s', (_, pem) => {
    const headers = kalshiSigner({ keyId: 'key-1', privateKey: pem })!(request)
    expect(Object.keys(headers)).toEqual(['KALSHI-ACCESS-KEY', 'KALSHI-ACCESS-TIMESTAMP', 'KALSHI-ACCESS-SIGNATURE'])
    expect(headers['KALSHI-ACCESS-KEY']).toBe('key-1')
    expect(headers['KALSHI-ACCESS-TIMESTAMP']).toBe('1786410915566')
    const signature = headers['KALSHI-ACCESS-SIGNATURE']!
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2')).toBe(true)
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2', 20)).toBe(false)
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2?a=1')).toBe(false)
  })

  test('two signatures of the same text differ, and both hold', () => {
    const sign = kalshiSigner({ keyId: 'key-1', privateKey: pkcs8 })!
    const [first, second] = [sign(request), sign(request)].map((headers) => headers['KALSHI-ACCESS-SIGNATURE']!)
    expect(first).not.toBe(second)
    expect([first, second].map((text) => isSignedBy(text!, '1786410915566GET/trade-api/ws/v2'))).toEqual([true, true])
  })

  test('without a key nothing is signed', () => {
    expect(kalshiSigner({})).toBeUndefined()
  })

  test('names what is missing', () => {
    expect(refusal({ keyId: 'key-1' })).toBe(
      'kalshi.key_id is set without kalshi.private_key_file or KALSHI_PRIVATE_KEY',
    )
    expect(refusal({ privateKey: pkcs8 })).toBe('kalshi.key_id is missing: a private key is set')
    expect(refusal({ keyId: 'key-1', privateKey: pkcs8, privateKeyFile: '/key.pem' })).toContain('give one of them')
    expect(refusal({ keyId: 'key 1', privateKey: pkcs8 })).toContain('kalshi.key_id must be printable ASCII')
  })

  test('refuses by name a key that is no RSA key, and says nothing of what it holds', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    const half = publicKey.export({ type: 'spki', format: 'pem' })
    for (const pem of [ec, locked, half, 'no key', '', pkcs8.slice(0, 200)].map(String)) {
      const said = refusal({ keyId: 'key-1', privateKey: pem })
      expect(said).toStartWith('KALSHI_PRIVATE_KEY must be an RSA private key in PEM')
      for (const line of pem.split('\n').filter((text) => text.length > 20)) expect(said).not.toContain(line)
    }
  })

  test('reads the key from a file, and refuses one that is not there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-key-'))
    try {
      const path = join(folder, 'key.pem')
      writeFileSync(path, pkcs1)
      const headers = kalshiSigner({ keyId: 'key-1', privateKeyFile: path })!(request)
      expect(isSignedBy(headers['KALSHI-ACCESS-SIGNATURE']!, '1786410915566GET/trade-api/ws/v2')).toBe(true)
      const absent = join(folder, 'absent.pem')
      const said = refusal({ keyId: 'key-1', privateKeyFile: absent })
      expect(said).toBe(`kalshi.private_key_file ${absent} cannot be read: ENOENT`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test.each([
  ['wss://venue.test/trade-api/ws/v2', '/trade-api/ws/v2'],
  ['http://127.0.0.1:8080/replay/kalshi/trade-api/ws/v2?from=1&key=k', '/trade-api/ws/v2'],
  ['https://venue.test/trade-api/v2/markets/orderbooks?tickers=A&tickers=B', '/trade-api/v2/markets/orderbooks'],
  ['https://venue.test/other', '/other'],
])('signedPath of %s', (url, path) => expect(signedPath(url)).toBe(path))
