// Places of open connections, with connections that only remember how they were closed.

import { expect, test } from 'bun:test'
import { OpenConnections } from '../../../../src/http/sockets/open-connections.ts'

const LIMITS = { all: 10, perKey: 10 }

test('those of a key that has ended are closed, and no others', async () => {
  const ended = new Set<string>()
  const connections = new OpenConnections(LIMITS, async (keyId) => !ended.has(keyId))
  const closed: [string | null, number][] = []
  const open = (keyId: string | null) => {
    const key = keyId === null ? null : { keyId, userId: 'user', plan: 'pro', scopes: null }
    const place = connections.enter(key)
    place.hold({
      close(code) {
        closed.push([keyId, code])
        place.leave()
      },
    })
  }
  for (const keyId of ['a', 'b', 'a', null]) open(keyId)
  await connections.checkKeys()
  expect(closed).toEqual([])
  ended.add('a')
  await connections.checkKeys()
  expect(closed).toEqual([
    ['a', 1008],
    ['a', 1008],
  ])
  expect(connections.count).toBe(2)
  connections.stop()
  expect(closed.slice(2)).toEqual([
    ['b', 1001],
    [null, 1001],
  ])
  expect(connections.count).toBe(0)
})
