// Books have numbers from 1 on in order of appearance, however a capture spells their ids.

import { expect, test } from 'bun:test'
import { BookTable } from './book-table.ts'

const numberOf = (table: BookTable, printed: string) => {
  const bytes = Buffer.from(`"${printed}"`)
  return table.numberOf(bytes, 1, bytes.length - 1)
}

test('known books come first, then those that appear', () => {
  const table = new BookTable(undefined, ['101', '202'])
  expect(['202', '303', '101', '303', ''].map((id) => numberOf(table, id))).toEqual([2, 3, 1, 3, 4])
  expect(table.ids()).toEqual(['101', '202', '303', ''])
})

test('a market with one possible book uses that book for any text', () => {
  const table = new BookTable('KX-1')
  expect(['kx-1', 'KX-1', 'x'].map((id) => numberOf(table, id))).toEqual([1, 1, 1])
  expect(table.numberOfId('other')).toBe(1)
  expect(table.ids()).toEqual(['KX-1'])
})

test('an id as a string has the number of the id as JSON spells it', () => {
  const table = new BookTable(undefined)
  expect(numberOf(table, 'a\\"b')).toBe(1)
  expect(table.numberOfId('a"b')).toBe(1)
  expect(table.numberOfId('\uFEFFc')).toBe(2)
  expect(table.ids()).toEqual(['a"b', '\uFEFFc'])
})

test('there is room for 256 books, and for those that are known', () => {
  const table = new BookTable(
    undefined,
    Array.from({ length: 255 }, (_, i) => `${i}`),
  )
  const hasRoom = (id: string) => table.hasRoomFor(Buffer.from(id), 0, id.length)
  expect(hasRoom('new')).toBe(true)
  table.numberOfId('last')
  expect([hasRoom('new'), hasRoom('last'), hasRoom('7')]).toEqual([false, true, true])
})
