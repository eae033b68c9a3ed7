// Requests have the same signatures as AWS's own examples:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

import { expect, test } from 'bun:test'
import { encodePath, encodeQuery, signedHeaders } from './s3-signature.ts'

const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
  region: 'us-east-1',
}
const timestampMs = Date.UTC(2013, 4, 24)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function check(method: string, path: string, headers: Record<string, string>, signature: string) {
  const url = new URL(`https://examplebucket.s3.amazonaws.com/${path}`)
  const { authorization } = signedHeaders({ method, url, headers }, keys, timestampMs)
  expect(authorization!.split('Signature=')[1]).toBe(signature)
}

test('a range of an object', () =>
  check(
    'GET',
    'test.txt',
    { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ))

test('an object that is put, with a key that needs encoding', () =>
  check(
    'PUT',
    encodePath('test$file.text'),
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ))

test('a list', () =>
  check(
    'GET',
    `?${encodeQuery({ prefix: 'J', 'max-keys': '2' })}`,
    { 'x-amz-content-sha256': EMPTY },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ))

test('sends and signs a session token, and never shows the secret', () => {
  const url = new URL('http://127.0.0.1:7480/bucket/key')
  const unsigned = { method: 'GET', url, headers: {} }
  const headers = signedHeaders(unsigned, { ...keys, sessionToken: 'token' }, timestampMs)
  expect(headers['x-amz-security-token']).toBe('token')
  expect(headers['authorization']).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token')
  expect(JSON.stringify(headers)).not.toContain(keys.secretAccessKey)
})

test.each(['.', '..', 'a/../b', './a'])('no address can have the key %s', (key) =>
  expect(() => encodePath(key)).toThrow(RangeError),
)
