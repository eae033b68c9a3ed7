// A head is read back as it was stored, and damaged bytes are reported as damage.

import { expect, test } from 'bun:test'
import { HEAD } from '../../test/support/made-markets.ts'
import { withChecksum } from './block.ts'
import { decodeHead, encodeHead } from './partition-head-codec.ts'

test('with the fields of every head, and with rare ones', () => {
  const times = { recorder: 'a', book: 'b', snapshotsMs: [1], goesOnMs: null, gapsMs: [2], lastChangeMs: 3 }
  const odd = {
    ...HEAD,
    heard: [times],
    sequenceHoles: [{ fromMs: 4 }],
    source: 'ag',
    bookless: { tradeCount: 1, tradeVolume: '2' },
  }
  for (const head of [HEAD, { ...HEAD, heard: [times] }, odd]) expect(decodeHead(encodeHead(head))).toEqual(head)
})

test('the names of the usual fields are not stored', () => {
  expect(Buffer.from(encodeHead(HEAD)).includes('looseSnapshots')).toBe(false)
})

test('damage, another version, and bytes that are not a head', () => {
  const bytes = encodeHead(HEAD)
  for (const at of [0, 9, bytes.length - 1]) {
    const changed = bytes.slice()
    changed[at]! ^= 1
    expect(() => decodeHead(changed)).toThrow()
  }
  const message = 'A stored head cannot be read, or has an unknown version'
  expect(() => decodeHead(encodeHead({ ...HEAD, version: 3 as 2 }))).toThrow(message)
  expect(() => decodeHead(withChecksum(Uint8Array.of(0xc1)))).toThrow(message)
})
