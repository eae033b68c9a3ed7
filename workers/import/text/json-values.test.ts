// A text is read as its JSON values, whether an array holds them or they follow each other.

import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { jsonValues } from './json-values.ts'

async function valuesOf(text: string | Uint8Array) {
  const found: unknown[] = []
  for await (const { values } of jsonValues(new MemoryFile(new Uint8Array(Buffer.from(text)), 'a.json'))) {
    found.push(...values)
  }
  return found
}

test.each<[string, string, unknown[]]>([
  ['an array', '[{"a":1}, {"b":[2]}]', [{ a: 1 }, { b: [2] }]],
  ['one after the other', '{"a":1}\n{"b":2}\r\n\n[3]', [{ a: 1 }, { b: 2 }, 3]],
  ['several lines each', '{\n "a": 1\n}\n{\n "b": 2\n}\n', [{ a: 1 }, { b: 2 }]],
  ['brackets and quotes in texts', '[{"a":"]}\\"{"}]', [{ a: ']}"{' }]],
  ['an array of arrays', '[[1],[2]]', [[1], [2]]],
  ['a byte order mark', '\uFEFF{"a":1}', [{ a: 1 }]],
  ['nothing', ' ', []],
  ['an empty array', '[]', []],
])('%s', async (_, text, expected) => {
  expect(await valuesOf(text)).toEqual(expected)
  expect(await valuesOf(gzipSync(text))).toEqual(expected)
})

test.each([
  ['an array', '[', ',', ']'],
  ['lines', '', '\n', ''],
])('values that span the pieces of a file, as %s', async (_, before, between, after) => {
  const values = Array.from({ length: 60 }, (_, n) => ({ n, text: 'x"é'.repeat(30_000) }))
  const text = before + values.map((value) => JSON.stringify(value)).join(between) + after
  expect(await valuesOf(text)).toEqual(values)
})

test.each([
  ['[{"a":1}', 'a.json is cut off'],
  ['{"a":1', 'a.json is cut off'],
  ['{"a":1}\nx', 'a.json has no JSON after document 1: '],
  ['[{}]\n]', 'a.json has no JSON after document 1: '],
  ['{"a": ["x" "y"]}', 'a.json has no JSON after document 0: '],
])('%j is refused: %s', async (text, why) => {
  await expect(valuesOf(text)).rejects.toThrow(why)
})
