// A server of archives may redirect a request, but not to this machine: otherwise a foreign URL could query local
// services in the user's name.

import { expect, test } from 'bun:test'
import { fetchArchive } from './fetch-archive.ts'

const NAMES: Record<string, string[]> = {
  'files.example': ['192.0.2.7', '2001:db8::7'],
  'rebound.example': ['192.0.2.8', '127.0.0.1'],
}

/** Fetches `url` with these redirections. Returns the requested URLs and the final status. */
async function follow(url: string, redirections: Record<string, string>) {
  const requested: string[] = []
  const init = { headers: { range: 'bytes=0-0' }, signal: new AbortController().signal }
  const { status } = await fetchArchive(url, init, {
    fetch: async (at, { redirect, headers }) => {
      expect([redirect, headers]).toEqual(['manual', init.headers])
      requested.push(at)
      const location = redirections[at]
      return location === undefined ? new Response('a') : new Response(null, { status: 302, headers: { location } })
    },
    addressesOf: async (name) => NAMES[name] ?? Promise.reject(new Error('no such name')),
  })
  return { requested, status }
}

test.each(['https://files.example/b', '/b', 'http://192.0.2.9/b', 'http://unknown.example/b'])(
  'a redirect to %s is followed',
  async (to) => {
    const start = 'https://archive.example/a'
    expect(await follow(start, { [start]: to })).toEqual({ requested: [start, new URL(to, start).href], status: 200 })
  },
)

test.each([
  'http://127.0.0.1:18080/b',
  'http://127.9.9.9/b',
  'http://0x7f000001/b',
  'http://0.0.0.0/b',
  'http://[::1]/b',
  'http://[::ffff:127.0.0.1]/b',
  'http://[::]/b',
  'http://localhost:9000/b',
  'http://a.localhost./b',
  'http://rebound.example/b',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/hostname',
  'data:text/plain,a',
  'http://',
])('sent on to %s, it is not followed', async (to) => {
  const start = 'https://archive.example/a'
  expect(await follow(start, { [start]: to })).toEqual({ requested: [start], status: 302 })
  const between = 'https://files.example/b'
  expect(await follow(start, { [start]: between, [between]: to })).toEqual({ requested: [start, between], status: 302 })
})

test('a server of this machine may redirect within it, and a redirect loop ends', async () => {
  const start = 'http://127.0.0.1:18080/a'
  expect((await follow(start, { [start]: 'http://localhost:18081/b' })).status).toBe(200)
  const { requested, status } = await follow(start, { [start]: start })
  expect([requested.length, status]).toEqual([11, 302])
})
