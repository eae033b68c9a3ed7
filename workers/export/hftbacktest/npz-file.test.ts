// A numpy array has the values that were added, in chunks of any size. An array too large for a zip is refused at once.

import { expect, test } from 'bun:test'
import { readNpz } from '../../../test/support/export/npz-reader.ts'
import { NpzFile } from './npz-file.ts'

const FIELDS = [
  ['when', '<i8'],
  ['price', '<f8'],
] as const

function written(rows: readonly [bigint, number][], cut: number): Buffer {
  const pieces: Uint8Array[] = []
  const npz = new NpzFile(FIELDS, rows.length, (bytes) => pieces.push(bytes.slice()))
  for (let start = 0; start < rows.length; start += cut) {
    const bytes = Buffer.alloc(16 * Math.min(cut, rows.length - start))
    rows.slice(start, start + cut).forEach(([when, price], i) => {
      bytes.writeBigInt64LE(when, 16 * i)
      bytes.writeDoubleLE(price, 16 * i + 8)
    })
    npz.add(bytes)
  }
  npz.end()
  return Buffer.concat(pieces)
}

test.each([0, 1, 7, 1_000])('%d rows', (count) => {
  const rows = Array.from({ length: count }, (_, i): [bigint, number] => [BigInt(i) * 10n ** 15n, i / 8])
  for (const cut of [1, 3, 500, 4_096]) {
    const file = written(rows, cut)
    expect(readNpz(file)).toEqual(rows.map(([when, price]) => ({ when, price })))
    expect(written(rows, cut).equals(file)).toBe(true)
  }
})

test('more rows than there is room for are refused before anything is written', () => {
  const wide = Array.from({ length: 8 }, (_, i) => [`field${i}`, '<u8'] as const)
  const most = Math.floor((2 ** 32 - 1) / 64)
  const pieces: Uint8Array[] = []
  const begin = (rowCount: number) => new NpzFile(wide, rowCount, (piece) => pieces.push(piece))
  expect(() => begin(most)).toThrow(/^a \.npz file has room for 671088\d\d rows, got 67108863$/)
  expect(pieces).toEqual([])
  begin(most - 10)
  expect(pieces.length).toBeGreaterThan(0)
})
