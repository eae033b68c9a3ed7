// Goal: a failure says what is wrong, and whether a retry may help.

import { expect, test } from 'bun:test'
import { DataError } from '../../failures.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import { connectionFailure, failureOf, isConnectionError } from './s3-failures.ts'

const PLACE = { bucket: 'books', host: 's3.example', region: 'eu-west-1' }
const READ = { verb: 'read objects', right: 's3:GetObject' } as const

const failure = (status: number, code: string, retryAfterMs = 0) =>
  failureOf({ status, code, headers: new Headers(), retryAfterMs }, READ, PLACE)

test.each([
  [408, ''],
  [429, ''],
  [500, 'InternalError'],
  [502, ''],
  [503, 'SlowDown'],
  [504, ''],
  [400, 'BadDigest'],
  [403, 'RequestTimeTooSkewed'],
  [409, 'OperationAborted'],
])('%d %s may succeed on a retry', (status, code) => expect(failure(status, code)).toBeInstanceOf(TransientFailure))

test.each([
  [
    400,
    'InvalidArgument',
    'The bucket books at s3.example cannot be used: it answers 400 (InvalidArgument) when asked to',
  ],
  [401, '', 'does not accept the key: it answers 401'],
  [403, 'AccessDenied', 'does not let this key read objects: the key must have the right s3:GetObject'],
  [403, 'InvalidAccessKeyId', 'does not accept the key: it answers 403 (InvalidAccessKeyId)'],
  [404, 'NoSuchBucket', 'There is no bucket books at s3.example'],
  [400, 'AuthorizationHeaderMalformed', 'is not in the region eu-west-1 but in another one: AWS_REGION must name it'],
  [501, 'NotImplemented', 'cannot be used: it answers 501 (NotImplemented)'],
])('%d %s is permanent', (status, code, sentence) => {
  const error = failure(status, code)
  expect(error).toBeInstanceOf(DataError)
  expect(error.message).toContain(sentence)
})

test('passes on the wait that the store requests', () => {
  expect((failure(503, 'SlowDown', 7_000) as TransientFailure).retryAfterMs).toBe(7_000)
})

test('distinguishes errors of the connection from others', () => {
  const refused = Object.assign(new TypeError('no'), { code: 'ECONNREFUSED' })
  expect(isConnectionError(refused)).toBe(true)
  expect(connectionFailure(refused).message).toBe('the connection was refused')
  expect(isConnectionError(new DOMException('aborted', 'AbortError'))).toBe(true)
  expect(isConnectionError(new TypeError('a fault of ours'))).toBe(false)
  expect(isConnectionError(new DataError('store_unavailable', 'no'))).toBe(false)
})
