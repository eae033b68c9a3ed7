// Goal: columns that are read range by range return the values of the rows, for any pages and encodings, and wherever
// ranges begin and end.

import { describe, expect, test } from 'bun:test'
import {
  type Field,
  MemoryFile,
  type ParquetOptions,
  parquetBytes,
  type Row,
} from '../../../test/support/archives/parquet-bytes.ts'
import { Random } from '../../synthetic/random.ts'
import { WordTexts } from '../rows/word-texts.ts'
import { ParquetFile } from './parquet-file.ts'
import type { RowGroup, RowRange } from './row-group.ts'

const ROWS = 400
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const
const decimal = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 } as const
const FIELDS: Field[] = [
  { name: 'number', repetition_type: 'REQUIRED', ...decimal },
  { name: 'few', repetition_type: 'OPTIONAL', ...decimal },
  { name: 'whole', type: 'INT64', converted_type: 'UINT_64', repetition_type: 'OPTIONAL' },
  { name: 'word', ...text },
  { name: 'long', ...text },
  { name: 'cell', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5, repetition_type: 'REQUIRED' },
  [
    { name: 'list', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'price', repetition_type: 'OPTIONAL', ...decimal },
  ],
]
const encoder = new TextEncoder()

/** Returns rows whose values repeat for a while, come from a small or a large set, or are absent for a while. */
function randomRows(random: Random): Row[] {
  let isAbsent = false
  let word = 'a'
  return Array.from({ length: ROWS }, (_, i) => {
    if (random.below(20) === 0) isAbsent = !isAbsent
    if (random.below(6) === 0) word = `word ${random.below(30)}`
    const levels = Array.from({ length: random.below(5) }, () => ({ price: BigInt(random.below(1_000)) }))
    return {
      number: BigInt(i < 100 ? 7 : random.below(1e6)),
      few: isAbsent || random.below(3) === 0 ? null : BigInt(random.below(9)),
      whole: isAbsent ? null : (BigInt(random.below(5)) << 48n) + BigInt(i),
      word: isAbsent ? null : word,
      long: random.below(4) === 0 ? `${'x'.repeat(random.below(90))} ${random.below(1e6)}` : null,
      cell: encoder.encode(`cell${random.below(3)}`),
      list: random.below(5) === 0 ? null : levels,
    }
  })
}

/** Returns ascending ranges that leave out some rows between them. */
function randomRanges(random: Random): RowRange[] {
  const ranges: RowRange[] = []
  for (let start = 0; start < ROWS; ) {
    const from = random.below(3) === 0 ? Math.min(ROWS - 1, start + random.below(150)) : start
    const end = Math.min(ROWS, from + 1 + random.below(random.below(3) === 0 ? 200 : 30))
    ranges.push({ start: from, end })
    start = end
  }
  return ranges
}

const OTHERWISE: ParquetOptions['encodings'] = {
  ...{ number: 'DELTA_BINARY_PACKED', few: 'BYTE_STREAM_SPLIT', whole: 'DELTA_BINARY_PACKED' },
  ...{ word: 'DELTA_BYTE_ARRAY', long: 'DELTA_LENGTH_BYTE_ARRAY', cell: 'PLAIN' },
}
const PLAIN: ParquetOptions['encodings'] = {
  number: 'PLAIN',
  few: 'PLAIN',
  whole: 'PLAIN',
  word: 'PLAIN',
  long: 'PLAIN',
  cell: 'PLAIN',
}

async function groupOf(rows: readonly Row[], options: ParquetOptions): Promise<RowGroup> {
  const parquet = await ParquetFile.open(new MemoryFile(parquetBytes(FIELDS, [[...rows]], options)))
  return parquet.group(
    0,
    FIELDS.map((field) => (Array.isArray(field) ? field[0].name : field.name)),
  )
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

describe('ranges of rows', () => {
  test.each<[string, ParquetOptions]>([
    ['in one page', {}],
    ['in small pages', { pageSize: 100 }],
    ['in pages of a few rows', { pageSize: 9 }],
    ['in plain pages', { pageSize: 200, encodings: PLAIN! }],
    ['in other encodings', { pageSize: 300, encodings: OTHERWISE! }],
    ['in one page of other encodings', { encodings: OTHERWISE! }],
  ])('%s', async (_, options) => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = new Random(seed, 'row group')
      const rows = randomRows(random)
      const group = await groupOf(rows, options)
      const [words, cells] = [new WordTexts(), new WordTexts()]
      for (const range of randomRanges(random)) {
        const of = rows.slice(range.start, range.end)
        const all = of.map((_, at) => at)
        expect(Array.from(group.numbers('number', range))).toEqual(of.map((row) => Number(row['number'])))
        const few = of.map(({ few }) => (few === null ? null : Number(few)))
        expect(Array.from(group.numbers('few', range), orNull)).toEqual(few)
        expect(Array.from(group.wholes('whole', range))).toEqual(of.map((row) => BigInt((row['whole'] as bigint) ?? 0)))
        const [word, long, cell] = ['word', 'long', 'cell'].map((name) => group.words(name, range))
        expect(all.map((at) => words.of(word!, at))).toEqual(of.map((row) => (row['word'] as string) ?? ''))
        const texts = new WordTexts()
        expect(all.map((at) => texts.of(long!, at))).toEqual(of.map((row) => (row['long'] as string) ?? ''))
        const encoded = all.map((at) => cells.of(cell!, at))
        expect(encoded).toEqual(of.map((row) => new TextDecoder().decode(row['cell'] as Uint8Array)))
        const { starts, values } = group.lists('list', 'price', range)
        expect(all.map((at) => Array.from(values.subarray(starts[at], starts[at + 1])))).toEqual(
          of.map((row) => ((row['list'] as { price: bigint }[] | null) ?? []).map(({ price }) => Number(price))),
        )
      }
    }
  })

  test('a range before the previous one is read again', async () => {
    const rows = randomRows(new Random(9, 'row group'))
    const group = await groupOf(rows, { pageSize: 100 })
    for (const range of [
      { start: 300, end: 350 },
      { start: 20, end: 90 },
      { start: 0, end: ROWS },
    ]) {
      const numbers = rows.slice(range.start, range.end).map((row) => Number(row['number']))
      expect(Array.from(group.numbers('number', range))).toEqual(numbers)
    }
  })

  test.each(['number', 'word', 'list'])('a column %s with more or fewer values than rows is refused', async (name) => {
    const rows = randomRows(new Random(3, 'row group'))
    for (const pageSize of [100, 1 << 20]) {
      const read = async (statedRows: number) => {
        const group = await groupOf(rows, { pageSize, statedRows })
        const range = { start: 0, end: statedRows }
        if (name === 'list') group.lists('list', 'price', range)
        else if (name === 'word') group.words('word', range)
        else group.numbers('number', range)
      }
      await read(ROWS)
      await expect(read(ROWS - 1)).rejects.toThrow('has more values than rows')
      await expect(read(ROWS + 1)).rejects.toThrow(`has ${ROWS} values for ${ROWS + 1} rows`)
    }
  })
})
