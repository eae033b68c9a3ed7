// Checks signatures with the public half of the key, as Kalshi does.

import { describe, expect, test } from 'bun:test'
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { signedPath, signerOf } from './signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const URL = 'wss://venue.test/trade-api/ws/v2?a=1'
const AT_MS = 1_786_410_915_566

const headersWith = (pem: string): Record<string, string> =>
  signerOf({ key_id: 'key-1' }, { folder: '/', variables: { KALSHI_PRIVATE_KEY: pem } })!(URL, AT_MS)

const isSignedBy = (signature: string, text: string, saltLength = 32): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
    Buffer.from(signature, 'base64'),
  )

describe('signerOf', () => {
  test.each([
    ['PKCS#1', pkcs1],
    ['PKCS#8', pkcs8],
  ])('signs time, method and path without the query with a key in %s', (_, pem) => {
    const headers = headersWith(pem)
    expect(Object.keys(headers)).toEqual(['KALSHI-ACCESS-KEY', 'KALSHI-ACCESS-TIMESTAMP', 'KALSHI-ACCESS-SIGNATURE'])
    expect(headers['KALSHI-ACCESS-KEY']).toBe('key-1')
    expect(headers['KALSHI-ACCESS-TIMESTAMP']).toBe('1786410915566')
    const signature = headers['KALSHI-ACCESS-SIGNATURE']!
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2')).toBe(true)
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2', 20)).toBe(false)
    expect(isSignedBy(signature, '1786410915566GET/trade-api/ws/v2?a=1')).toBe(false)
  })

  test('two signatures of the same text differ, and both hold', () => {
    const [first, second] = [pkcs8, pkcs8].map((pem) => headersWith(pem)['KALSHI-ACCESS-SIGNATURE']!)
    expect(first).not.toBe(second)
    expect([first, second].map((text) => isSignedBy(text!, '1786410915566GET/trade-api/ws/v2'))).toEqual([true, true])
  })
})

test.each([
  ['wss://venue.test/trade-api/ws/v2', '/trade-api/ws/v2'],
  ['http://127.0.0.1:8080/replay/kalshi/trade-api/ws/v2?from=1&key=k', '/trade-api/ws/v2'],
  ['https://venue.test/trade-api/v2/markets/orderbooks?tickers=A&tickers=B', '/trade-api/v2/markets/orderbooks'],
  ['https://venue.test/other', '/other'],
])('signedPath of %s', (url, path) => expect(signedPath(url)).toBe(path))
