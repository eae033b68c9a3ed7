// Finds the capture files in a folder.

import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { findCaptures } from './find-captures.ts'

test('finds files named like captures at any depth, but none that the program wrote next to a store', () => {
  using folder = temporaryFolder()
  const made = ['b.ndjson', 'a/c.jsonl.gz', 'a/rejects/d.txt.zst', 'a/manifest.json', 'a/e.csv']
  const ours = ['data/store/data.mdb', 'data/rejects/f.ndjson', 'data/manifest.json', 'data/captures/g.log']
  for (const path of [...made, ...ours].map((name) => join(folder.path, name))) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  const found = findCaptures([folder.path]).map((path) => path.slice(folder.path.length + 1))
  expect(found).toEqual(['a/c.jsonl.gz', 'a/manifest.json', 'a/rejects/d.txt.zst', 'b.ndjson', 'data/captures/g.log'])
  const named = join(folder.path, 'data/rejects/f.ndjson')
  expect(findCaptures([named])).toEqual([named])
})

test("a mirror's manifests are no captures, wherever its folder is", () => {
  using folder = temporaryFolder()
  const manifest = JSON.stringify({ venue: 'kalshi', date: '2026-07-20', files: [] }, null, 1)
  const capture = JSON.stringify({ venue: 'kalshi', date: '2026-07-20', msg: {} })
  for (const [name, text] of [
    ['a/manifest.json', manifest],
    ['b/manifest.json', capture],
    ['c.json', manifest],
  ]) {
    mkdirSync(dirname(join(folder.path, name!)), { recursive: true })
    writeFileSync(join(folder.path, name!), text!)
  }
  expect(findCaptures([folder.path])).toEqual(['b/manifest.json', 'c.json'].map((name) => join(folder.path, name)))
})

test('skips names that are not UTF-8, and reports them', () => {
  using folder = temporaryFolder()
  const bytes = (name: string) => Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from(name, 'latin1')])
  mkdirSync(bytes('d\xe9'))
  for (const name of ['a.ndjson', 'b\xff.ndjson', 'c\xff.csv', 'd\xe9/e.ndjson']) writeFileSync(bytes(name), '')
  writeFileSync(join(folder.path, 'f\ufffd.ndjson'), '')
  const unreadable: string[] = []
  const found = findCaptures([folder.path], (path) => unreadable.push(path))
  expect(found).toEqual(['a.ndjson', 'f\ufffd.ndjson'].map((name) => join(folder.path, name)))
  expect(unreadable.sort()).toEqual(['b\ufffd.ndjson', 'd\ufffd'].map((name) => join(folder.path, name)))
})
