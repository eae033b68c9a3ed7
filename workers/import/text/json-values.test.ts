// A text is split into its JSON values, whether an array holds them or they follow each other.

import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { jsonValues } from './json-values.ts'

async function valuesOf(text: string | Uint8Array) {
  const values: string[] = []
  for await (const batch of jsonValues(new MemoryFile(new Uint8Array(Buffer.from(text)), 'a.json'))) {
    for (let i = 0; i < batch.length; i++) values.push(`${batch.numbers[i]}: ${Buffer.from(batch.line(i)).toString()}`)
  }
  return values
}

test.each<[string, string, string[]]>([
  ['an array', '[{"a":1}, {"b":[2]}]', ['1: {"a":1}', '2: {"b":[2]}']],
  ['one after the other', '{"a":1}\n{"b":2} [3]', ['1: {"a":1}', '2: {"b":2}', '3: [3]']],
  ['several lines each', '{\n "a": 1\n}\n', ['1: {\n "a": 1\n}']],
  ['brackets and quotes in texts', '[{"a":"]}\\"{"}]', ['1: {"a":"]}\\"{"}']],
  ['an array of arrays', '[[1],[2]]', ['1: [1]', '2: [2]']],
  ['a byte order mark', '\uFEFF{"a":1}', ['1: {"a":1}']],
  ['nothing', ' ', []],
  ['an empty array', '[]', []],
])('%s', async (_, text, expected) => {
  expect(await valuesOf(text)).toEqual(expected)
  expect(await valuesOf(gzipSync(text))).toEqual(expected)
})

test('values that span the pieces of a file', async () => {
  const values = Array.from({ length: 30 }, (_, i) => `{"n":${i},"text":"${'x\\"'.repeat(30_000)}"}`)
  expect((await valuesOf(`[${values.join(',')}]`)).map((value) => value.replace(/^\d+: /, ''))).toEqual(values)
})

test.each([
  ['[{"a":1}', 'a.json is cut off'],
  ['{"a":1', 'a.json is cut off'],
  ['{"a":1} x', 'a.json has no JSON object after item 1: found "x"'],
  ['"a"', 'a.json has no JSON object after item 0: found "\\""'],
  ['[{}] {}', 'a.json has no JSON object after item 1: found "{"'],
  ['{}]', 'a.json has no JSON object after item 1: found "]"'],
  ['[{}]]', 'a.json has no JSON object after item 1: found "]"'],
])('%j is refused: %s', async (text, why) => {
  await expect(valuesOf(text)).rejects.toThrow(why)
})
