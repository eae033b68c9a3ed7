// Segments have one name everywhere, and move from one folder to the other when they are loaded.

import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { findSegment, loadedFolder, moveToLoaded, newFolder, segmentName, segmentsBelow } from './segment-folder.ts'

const NS = BigInt(Date.parse('2026-08-10T12:34:56.789Z')) * 1_000_000n
const origin = { venue: 'kalshi', recorder: 'r-1', connection: 'c_2' } as const

test('names', () => {
  expect(segmentName(origin, NS)).toBe('kalshi/2026-08-10/123456-r-1-c_2.ndjson.zst')
  expect(segmentName(origin, NS, 3)).toBe('kalshi/2026-08-10/123456-r-1-c_2-03.ndjson.zst')
  for (const id of ['', 'a/b', 'x'.repeat(65)]) {
    expect(() => segmentName({ ...origin, recorder: id }, NS)).toThrow(
      `an id must be 1 to 64 of A-Z a-z 0-9 _ . -, got ${JSON.stringify(id)}`,
    )
  }
})

test('found, listed once and moved, closed or not', () => {
  using data = temporaryFolder()
  const [fresh, loaded] = [newFolder(data.path), loadedFolder(data.path)]
  expect([segmentsBelow(fresh), findSegment(fresh, 'kalshi/x')]).toEqual([[], undefined])
  const name = segmentName(origin, NS)
  const files = [
    `${name}.part`,
    'kalshi/2026-08-09/1.ndjson.zst',
    'kalshi/2026-08-09/1.ndjson.zst.part',
    'kalshi/2026-08-09/note.txt',
  ]
  for (const file of files) {
    mkdirSync(dirname(join(fresh, file)), { recursive: true })
    writeFileSync(join(fresh, file), '')
  }
  writeFileSync(join(fresh, 'kalshi', 'file'), '')
  expect(segmentsBelow(fresh)).toEqual(['kalshi/2026-08-09/1.ndjson.zst', name])
  expect(findSegment(fresh, name)).toBe(join(fresh, `${name}.part`))
  moveToLoaded(data.path, name)
  moveToLoaded(data.path, name)
  expect([segmentsBelow(fresh), findSegment(loaded, name)]).toEqual([
    ['kalshi/2026-08-09/1.ndjson.zst'],
    join(loaded, `${name}.part`),
  ])
})
