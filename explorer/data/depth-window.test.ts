// Reads a window of the depth map as the API writes it.

import { expect, test } from 'bun:test'
import type { DepthMap } from '../../workers/depth-map/depth-map.ts'
import { mapArrow } from '../../workers/depth-map/map-arrow.ts'
import { depthWindowOf } from './depth-window.ts'

const WINDOW = { startMs: 1_000, endMs: 1_300, resolutionMs: 100 }

function bytesOf(rows: { price: number; sizes: number[] }[], metadata: [string, string][]): Uint8Array {
  const map = { columns: 3, rows: rows.map(({ price, sizes }) => ({ price, sizes: Float32Array.from(sizes) })) }
  return new Uint8Array(Buffer.concat([...mapArrow(map as unknown as DepthMap, new Map(metadata))]))
}

test('a row for each price, with its sizes, and the columns in which the book is known', () => {
  const rows = [
    { price: 400_000, sizes: [5, 0, 1.5] },
    { price: 410_000, sizes: [-1, -2, 0] },
  ]
  const metadata: [string, string][] = [
    ['backbook.columns', '3'],
    ['backbook.known', '[[0,1]]'],
  ]
  expect(depthWindowOf(bytesOf(rows, metadata), WINDOW, 0.01)).toEqual({
    ...{ ...WINDOW, columns: 3, priceStep: 0.01, known: [[0, 1]] },
    prices: Float64Array.of(0.4, 0.41),
    sizes: Float32Array.of(5, 0, 1.5, -1, -2, 0),
  })
})

test('no resting orders means no rows, and no metadata on what is known means nothing is known', () => {
  expect(depthWindowOf(bytesOf([], [['backbook.columns', '3']]), WINDOW, 0.01)).toMatchObject({
    ...{ columns: 3, known: [], prices: new Float64Array(0), sizes: new Float32Array(0) },
  })
})
