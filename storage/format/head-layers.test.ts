// Goal: the layers of a date are read from its head, with one source or several.

import { expect, test } from 'bun:test'
import { HEAD } from '../../test/support/made-markets.ts'
import { archivesOf, headOfSource, isSwitchedTo, ownFirst, sourcesOf, storedRecords } from './head-layers.ts'
import type { PartitionHead } from './partition-head.ts'
import { encodeHead } from './partition-head-codec.ts'

const own: PartitionHead = { ...HEAD, recordCount: 10 }
const archive: PartitionHead = { ...HEAD, recordCount: 7, source: 'ag' }
const layered: PartitionHead = {
  ...HEAD,
  recordCount: 12,
  layers: [
    { source: null, recordCount: 10, head: encodeHead(own) },
    { source: 'ag', recordCount: 7, head: encodeHead(archive) },
  ],
  spans: [
    ['ag', 0],
    [null, 500],
  ],
}

test('the user’s own source comes first, then the archives by name', () => {
  expect(['b', null, 'a'].sort(ownFirst)).toEqual([null, 'a', 'b'])
})

test('the sources of a date, and its archives with all their records', () => {
  expect([own, archive, layered].map(sourcesOf)).toEqual([[null], ['ag'], [null, 'ag']])
  expect([own, archive, layered].map(archivesOf)).toEqual([
    [],
    [{ source: 'ag', records: 7 }],
    [{ source: 'ag', records: 7 }],
  ])
  expect([own, archive, layered].map(storedRecords)).toEqual([10, 7, 17])
})

test('the head of one source', () => {
  expect(headOfSource(own, null)).toBe(own)
  expect(headOfSource(own, 'ag')).toBeUndefined()
  expect(headOfSource(archive, null)).toBeUndefined()
  expect(headOfSource(layered, 'ag')).toEqual(archive)
  expect(headOfSource(layered, 'other')).toBeUndefined()
})

test('a date begins with another source than the one before it ended with', () => {
  // The layered date begins with the archive and ends with the user's own.
  expect([
    isSwitchedTo(own, own),
    isSwitchedTo(own, archive),
    isSwitchedTo(archive, layered),
    isSwitchedTo(layered, own),
    isSwitchedTo(layered, archive),
  ]).toEqual([false, true, false, false, true])
})
