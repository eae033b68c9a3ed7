// Tests bodies of management requests: JSON, of a limited size.

import { expect, test } from 'bun:test'
import { assertBodyIsAcceptable, BODY_BYTES_MAX, readJsonBody } from './limited-body.ts'
import { RequestFailure } from './request-failure.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const request = (body: string | ReadableStream<Uint8Array> | null, headers: Record<string, string> = JSON_TYPE) =>
  new Request('http://localhost/keys', { method: 'POST', body, headers })
const codeOf = (each: Request) =>
  readJsonBody(each).then(
    () => 'read',
    (error: unknown) => (error instanceof RequestFailure ? error.code : String(error)),
  )

/** Returns a body without a declared length. */
function streamed(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      controller.enqueue(new Uint8Array(Math.min(left, 1000)).fill(32))
      left -= 1000
    },
  })
}

test('JSON is read', async () => expect(await readJsonBody(request('{"a":"é"}'))).toEqual({ a: 'é' }))
test('no body is undefined', async () => expect(await readJsonBody(request(null))).toBeUndefined())
test('a body that is not JSON is refused', async () => expect(await codeOf(request('{'))).toBe('body_invalid'))
test.each(['[]', '[{}]', 'null', 'true', '1', '"x"'])('%s is JSON but no object, and refused', async (body) =>
  expect(await codeOf(request(body))).toBe('body_invalid'),
)
test('another type is refused', async () =>
  expect(await codeOf(request('{}', { 'content-type': 'text/plain' }))).toBe('body_type_unknown'))
test('a long body is refused, though it declares no length', async () =>
  expect(await codeOf(request(streamed(BODY_BYTES_MAX + 1)))).toBe('body_too_large'))
test('a body of the greatest length is read', async () =>
  expect(await codeOf(request(`{"a":"${'x'.repeat(BODY_BYTES_MAX - 8)}"}`))).toBe('read'))

test('a declared length is refused before it is read', () => {
  const declared = (length: string) => () => assertBodyIsAcceptable(request(null, { 'content-length': length }))
  expect(declared(String(BODY_BYTES_MAX + 1))).toThrow('at most 16384 bytes')
  declared(String(BODY_BYTES_MAX))()
})

test.each([
  ['application/json', 'read'],
  ['Application/JSON ; charset="UTF-8"', 'read'],
  ['application/json; profile=x', 'read'],
  ['application/json; charset=utf-16', 'body_type_unknown'],
  ['application/jsonp', 'body_type_unknown'],
  ['', 'body_type_unknown'],
])('a body of type %p: %s', async (type, code) =>
  expect(await codeOf(request('{}', { 'content-type': type }))).toBe(code),
)

test('a body that is not UTF-8 is refused, not repaired', async () => {
  const bytes = new Request('http://localhost/keys', {
    method: 'POST',
    body: new Uint8Array([0x22, 0xff, 0x22]),
    headers: JSON_TYPE,
  })
  expect(await codeOf(bytes)).toBe('body_invalid')
})
