// Tests the layers of a date: there is one for each source, and each is replaced and encoded separately.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { decodeHead } from '../../storage/format/partition-head-codec.ts'
import { kalshiDelta } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { booksOfSource, encodedLayers, isInOrderOf, isOfOne, type Layer, layersOf, withLayer } from './layer.ts'

const stored = new MemoryPartition()
for (const collected of collectLines([JSON.stringify(kalshiDelta(0, '0.5', '1'))])) stored.add(collected)
const { head } = stored.stored!
const books = (byte: number) => ({ opening: null, closing: new Uint8Array([byte]) })
const layer = (source: string | null, byte: number): Layer => ({ source, head, books: books(byte) })

test('a date of one source is its layer, one of several has a layer for each', () => {
  expect(layersOf(head, books(1))).toEqual([layer(null, 1)])
  expect(layersOf({ ...head, source: 'a' }, books(1))[0]!.source).toBe('a')
  const both = [layer(null, 1), layer('a', 2)]
  const whole: PartitionHead = { ...head, layers: encodedLayers(both) }
  expect(whole.layers!.map(({ source, recordCount }) => [source, recordCount])).toEqual([
    [null, 1],
    ['a', 1],
  ])
  expect(decodeHead(whole.layers![1]!.head)).toEqual(head)
  const stored = { ...books(9), layers: both.map(({ source, books }) => ({ source, ...books })) }
  expect(layersOf(whole, stored).map(({ source, books: { closing } }) => [source, closing![0]])).toEqual([
    [null, 1],
    ['a', 2],
  ])
  expect(booksOfSource({ ...books(9) }, 'a')).toEqual(books(9))
})

test('a layer is replaced, added or removed', () => {
  const both = [layer(null, 1), layer('a', 2)]
  const valuesOf = (layers: Layer[]) => layers.map(({ source, books: { closing } }) => [source, closing![0]])
  expect(valuesOf(withLayer(both, null, layer(null, 3)))).toEqual([
    ['a', 2],
    [null, 3],
  ])
  expect(valuesOf(withLayer(both, 'b', layer('b', 3)))).toEqual([
    [null, 1],
    ['a', 2],
    ['b', 3],
  ])
  expect(valuesOf(withLayer(both, 'a', undefined))).toEqual([[null, 1]])
})

test('the order of layers, and whether there is one only', () => {
  const both = [layer(null, 1), layer('a', 2)]
  const whole = { ...head, layers: encodedLayers(both) }
  expect([isInOrderOf(both, whole), isInOrderOf(both.toReversed(), whole), isInOrderOf(both.slice(1), whole)]).toEqual([
    ...[true, false, false],
  ])
  expect([
    isOfOne(head, null),
    isOfOne(head, 'a'),
    isOfOne(whole, null),
    isOfOne({ ...head, source: 'a' }, 'a'),
  ]).toEqual([...[true, false, false, true]])
})
