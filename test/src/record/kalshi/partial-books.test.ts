// Goal: a book is whole again when all of its channels are subscribed, and not with the first snapshot.

import { expect, test } from 'bun:test'
import { delta, KalshiScene, snapshot } from '../../../support/venues/kalshi-scene.ts'

const ended = (sid: number) => ({ type: 'error', sid, msg: { code: 10, msg: 'channel error' } })

test('a snapshot does not end a gap until trades are subscribed again; then another one is requested', async () => {
  const scene = new KalshiScene()
  scene.begin()
  scene.read(ended(2))
  expect(scene.callsOf('lost')).toHaveLength(1)
  scene.calls = []
  scene.read(snapshot('A', 3), delta('A', 4))
  expect(scene.calls).toEqual(['changed A', 'changed A'])
  await scene.time.advance(5_000)
  const { id } = scene.sent.at(-1)!
  expect(scene.sent.at(-1)).toMatchObject({ cmd: 'subscribe', params: { channels: ['trade'] } })
  expect(scene.requestedSnapshots).toEqual([])
  scene.read({ type: 'subscribed', id, msg: { channel: 'trade', sid: 3 } })
  expect(scene.requestedSnapshots).toEqual([['A']])
  scene.calls = []
  scene.read(snapshot('A', 5))
  expect(scene.callsOf('snapshot')).toEqual(['snapshot A snapshot 5'])
})

test('a socket without an ended channel accepts a snapshot that arrives before the confirmation', () => {
  const scene = new KalshiScene()
  scene.read(snapshot('A', 1))
  expect(scene.calls).toEqual(['snapshot A snapshot 1'])
})
