// Tests which open connections the server closes, with connections that only record how they were closed.

import { expect, test } from 'bun:test'
import { OpenConnections } from './open-connections.ts'

const LIMITS = { all: 10, perKey: 10 }

test('closes only the connections of an ended secret, and all of them at a stop', async () => {
  const ended = new Set<string>()
  const connections = new OpenConnections(LIMITS, async ({ secretSha256 }) => !ended.has(secretSha256))
  const closed: [string | null, number][] = []
  const open = (keyId: string | null, secretSha256 = `${keyId}1`) => {
    const key = keyId === null ? null : { keyId, secretSha256, userId: 'user', plan: 'pro', scopes: null }
    const place = connections.enter(key)
    place.hold({
      close(code) {
        closed.push([keyId && secretSha256, code])
        place.leave()
      },
    })
  }
  for (const keyId of ['a', 'b', 'a', null]) open(keyId)
  open('a', 'a2')
  await connections.checkKeys()
  expect(closed).toEqual([])
  ended.add('a1')
  await connections.checkKeys()
  expect(closed).toEqual([
    ['a1', 1008],
    ['a1', 1008],
  ])
  expect(connections.count).toBe(3)
  connections.stop()
  expect(closed.slice(2)).toEqual([
    ['b1', 1001],
    [null, 1001],
    ['a2', 1001],
  ])
  expect(connections.count).toBe(0)
})
