// Tests answers that stay the same: each is made once, in the client's encoding, and not sent to a client that has it.

import { expect, test } from 'bun:test'
import { fixedAnswer } from './fixed-answer.ts'

const TEXT = 'all the same '.repeat(1_000)
const request = (headers: Record<string, string> = {}) => new Request('http://localhost/docs', { headers })

test('it is made on the first request, and once for each encoding', async () => {
  let made = 0
  const make = () => {
    made += 1
    return TEXT
  }
  const answer = fixedAnswer({ type: 'text/plain', make })
  expect(made).toBe(0)
  expect(await (await answer(request())).text()).toBe(TEXT)
  await answer(request())
  expect(made).toBe(1)
  const compressed = await answer(request({ 'accept-encoding': 'gzip' }))
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(new TextDecoder().decode(Bun.gunzipSync(await compressed.arrayBuffer()))).toBe(TEXT)
})

test('a client that has the answer gets a 304, and headers say how long to cache it', async () => {
  const answer = fixedAnswer({ type: 'text/plain', make: () => TEXT })
  const { headers } = await answer(request())
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  const again = await answer(request({ 'if-none-match': `"other", ${headers.get('etag')}` }))
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', headers.get('etag')])
  expect((await answer(request({ 'if-none-match': '"other"' }))).status).toBe(200)
})

test('an answer that failed is made again', async () => {
  let isBroken = true
  const make = () => {
    if (isBroken) throw new Error('not yet')
    return TEXT
  }
  const answer = fixedAnswer({ type: 'text/plain', make })
  expect(await answer(request()).catch((error: Error) => error.message)).toBe('not yet')
  isBroken = false
  expect((await answer(request())).status).toBe(200)
})
