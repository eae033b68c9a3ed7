// Tests the explorer's own reader of Arrow: it reads every cell that the workers wrote unchanged.

import { expect, test } from 'bun:test'
import { type MadeTable, makeTable } from '../../../test/support/made-tables.ts'
import { mapArrow } from '../../../workers/depth-map/map-arrow.ts'
import { encodeTable } from '../../../workers/table/encode-table.ts'
import { type Column, TIMESTAMP } from '../../../workers/table/table.ts'
import { ArrowTable } from './arrow.ts'

/** Returns the chunks in one buffer of their own, like the body of an answer in a browser. */
function whole(chunks: Iterator<Uint8Array>): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) pieces.push(next.value)
  return new Uint8Array(Buffer.concat(pieces))
}

const answer = async ({ table }: MadeTable, columns: readonly string[], metadata = {}) =>
  whole(await encodeTable(table(), { format: 'arrow', columns: [...columns], metadata }))

const isNamed = (type: Column['type']) => typeof type === 'object' && 'names' in type
const isRead = (type: Column['type']) => type !== 'flag' && type !== 'text'

// The largest numbers of rows exceed a batch.
test.each([0, 1, 2, 7, 63, 64, 65, 700, 17_000])('%d rows of each column are read back unchanged', async (rowCount) => {
  for (const seed of [1, 2, 3, 4]) {
    const made = makeTable(10 * rowCount + seed, { rowCount, chunkRowsMax: Math.max(1, Math.ceil(rowCount / 3)) })
    const { constants, columns } = made.table()
    const names = [TIMESTAMP, ...columns.filter(({ type }) => isRead(type)).map(({ name }) => name)]
    const texts = [
      ...constants.map(({ name }) => name),
      ...columns.filter(({ type }) => isNamed(type)).map((c) => c.name),
    ]
    const table = new ArrowTable(await answer(made, [...constants.map(({ name }) => name), ...names]))
    expect(table.rows).toBe(rowCount)
    for (const name of texts) expect(table.texts(name)).toEqual(made.rows.map((row) => row[name] as string | null))
    for (const name of names.filter((each) => !texts.includes(each))) {
      const read = Array.from(table.numbers(name), (value) => (Number.isNaN(value) ? null : value))
      expect(read).toEqual(made.rows.map((row) => row[name] as number | null))
    }
  }
})

test('reads the metadata of the answer', async () => {
  const metadata = { has_more: true, known: 'ü', asset: null }
  const made = makeTable(1, { rowCount: 3, chunkRowsMax: 3 })
  expect(new ArrowTable(await answer(made, [TIMESTAMP], metadata)).metadata).toEqual(
    new Map([
      ['backbook.has_more', 'true'],
      ['backbook.known', 'ü'],
    ]),
  )
})

test.each([0, 1, 3, 400])('a depth map of %d prices is read back unchanged', (count) => {
  const columns = 1_440
  const rows = Array.from({ length: count }, (_, i) => ({
    price: 1_000 * (i + 1),
    sizes: Float32Array.from({ length: columns }, (__, column) => ((column * 7 + i) % 11 === 0 ? -column / 3 : i)),
  }))
  const map = { columns, rows } as Parameters<typeof mapArrow>[0]
  const table = new ArrowTable(whole(mapArrow(map, new Map([['backbook.columns', '1440']]))))
  expect(table.rows).toBe(count)
  expect(table.metadata.get('backbook.columns')).toBe('1440')
  expect(table.numbers('price')).toEqual(Float64Array.from(rows, ({ price }) => price / 1e6))
  expect(table.items('sizes')).toEqual(Float32Array.from(rows.flatMap(({ sizes }) => [...sizes])))
})

test('an answer that stops anywhere before its end is refused', async () => {
  const made = makeTable(3, { rowCount: 5, chunkRowsMax: 2 })
  const names = made.table().columns.filter(({ type }) => isRead(type))
  const bytes = await answer(made, [TIMESTAMP, ...names.map(({ name }) => name)])
  expect(new ArrowTable(bytes).rows).toBe(5)
  for (let length = 0; length < bytes.length; length++) expect(() => new ArrowTable(bytes.slice(0, length))).toThrow()
})

test('refuses a type that it cannot read, by name', async () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => makeTable(seed, { rowCount: 2, chunkRowsMax: 2 }))
  const having = (type: Column['type']) =>
    seeds.flatMap((made) => {
      const column = made.table().columns.find((each) => each.type === type)
      return column === undefined ? [] : [{ made, name: column.name }]
    })[0]!
  const flag = having('flag')
  const flags = await answer(flag.made, [flag.name])
  expect(() => new ArrowTable(flags)).toThrow(`the column ${flag.name} is of a type that is not known: 6`)
  const text = having('text')
  const table = new ArrowTable(await answer(text.made, [TIMESTAMP, text.name]))
  expect(() => table.numbers('price')).toThrow('the answer has no column price')
  expect(() => table.numbers(text.name)).toThrow(`the column ${text.name} has no numbers, it is text`)
  expect(() => table.texts(TIMESTAMP)).toThrow('the column timestamp has no dictionary, it is int64')
  expect(() => table.items(TIMESTAMP)).toThrow('the column timestamp has no lists, it is int64')
})
