// An Arrow stream has a schema with its dictionaries, batches and an end, however it is taken.

import { expect, test } from 'bun:test'
import { dictionary, field, float64, int8, tableFromIPC, utf8 } from '@uwdata/flechette'
import { ArrowStream, type ArrowVector } from './arrow-stream.ts'

const schema = {
  fields: [field('x', float64(), true), field('n', dictionary(utf8(), int8(), false, 7), false)],
  metadata: new Map([['k', 'é']]),
  dictionaries: [{ id: 7, texts: ['no', 'yes', 'ø'] }],
}
const NONE = new Uint8Array(0)
const batch = (values: number[], names: number[], valid?: number): ArrowVector[] => [
  {
    ...{ length: values.length, nullCount: valid === undefined ? 0 : 1 },
    buffers: [valid === undefined ? NONE : Uint8Array.of(valid), new Uint8Array(Float64Array.from(values).buffer)],
  },
  { length: names.length, nullCount: 0, buffers: [NONE, Uint8Array.from(names)] },
]

test('rows of all batches, with nulls and names', () => {
  const stream = new ArrowStream(schema)
  const pieces = [stream.take()]
  stream.add(batch([1.5, 0, -2], [1, 2, 0], 0b101))
  stream.add(batch([7], [2]))
  pieces.push(stream.take())
  expect(stream.take()).toHaveLength(0)
  stream.end()
  pieces.push(stream.take())
  const table = tableFromIPC(Buffer.concat(pieces))
  expect(table.toArray().map((row) => ({ ...row }))).toEqual([
    { x: 1.5, n: 'yes' },
    { x: null, n: 'ø' },
    { x: -2, n: 'no' },
    { x: 7, n: 'ø' },
  ])
  expect(table.schema.metadata?.get('k')).toBe('é')
  expect(pieces.at(-1)).toEqual(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0))
})

test('a stream that continues another has no schema', () => {
  const [first, more] = [new ArrowStream(schema), new ArrowStream(null)]
  expect(more.take()).toHaveLength(0)
  first.add(batch([1], [0]))
  more.add(batch([2], [1]))
  more.end()
  const table = tableFromIPC(Buffer.concat([first.take(), more.take()]))
  expect([...table.getChild('x')]).toEqual([1, 2])
})
