// Makes tables with every type of column from a seed, and the value that each cell must have in any format.

import { Random } from '../../workers/synthetic/random.ts'
import {
  type Column,
  type ColumnType,
  NULL,
  type Table,
  type TableChunk,
  type Texts,
} from '../../workers/table/table.ts'

type ValueColumn = Column & { type: ColumnType }

export type CellValue = number | boolean | string | null
export type MadeTable = {
  /** Returns a new copy of the same table. */
  table(): Table
  /** The cells of each row by their flat names; `timestamp` in ms. */
  rows: Record<string, CellValue>[]
}

export type MadeSize = { rowCount: number; chunkRowsMax: number }

const ODD_TEXTS = [
  '',
  'buy',
  'sell',
  'a"b',
  'a,b',
  'a\nb',
  'a\r\nb',
  ' a ',
  'back\\slash',
  'bell\u0007',
  'Zürich ⚽',
  'null',
  '1e5',
]
const WHOLE_MAX = 2 ** 51
/** Beyond 2^53, because sums may be that large. */
const DECIMAL_MAX = 2 ** 60
const FIRST_MS = Date.parse('2026-07-20')

const TYPES: ColumnType[] = [
  'whole',
  'flag',
  'double',
  'text',
  { places: 7 },
  { places: 6 },
  { places: 0 },
  { places: 12 },
  { names: ['bid', 'ask'] },
  { names: ODD_TEXTS },
  { names: Array.from({ length: 300 }, (_, i) => `KX-${i}`) },
]

export function makeTable(seed: number, { rowCount, chunkRowsMax }: MadeSize): MadeTable {
  const random = new Random(seed, 'made table')
  const columns = someColumns(random)
  const constants = [
    { name: 'market', text: 'KX-1' },
    { name: 'note', text: random.below(2) === 0 ? 'a "b", c' : '' },
  ].slice(0, random.below(3))
  const timestampUnit = random.below(2) === 0 ? 'ms' : 's'
  const chunks: TableChunk[] = []
  const rows: MadeTable['rows'] = []
  while (rows.length < rowCount) {
    const made = someChunk(
      random,
      columns,
      Math.min(rowCount - rows.length, random.between(1, chunkRowsMax)),
      rows.length,
    )
    chunks.push(made.chunk)
    for (const row of made.rows) {
      rows.push({ ...Object.fromEntries(constants.map(({ name, text }) => [name, text])), ...row })
    }
  }
  return { table: () => ({ constants, timestampUnit, columns, chunks: chunks.values() }), rows }
}

function someColumns(random: Random): ValueColumn[] {
  const typed = (name: string, type: ColumnType, group?: Column['group']): ValueColumn => {
    const isLevel = group !== undefined && 'list' in group && group.list === 'levels'
    return { name, type, isNullable: isLevel || random.below(2) === 0, ...(group === undefined ? {} : { group }) }
  }
  const any = () => TYPES[random.below(TYPES.length)]!
  const parts: ((n: number) => ValueColumn[])[] = [
    (n) => [typed(`plain_${n}`, any())],
    (n) => ['open', 'close'].map((key) => typed(`candle_${n}_${key}`, any(), { name: `candle_${n}`, key })),
    (n) => [1, 2, 5].map((band) => typed(`within_${n}_${band}`, any(), { name: `within_${n}`, list: 'values' })),
    (n) =>
      Array.from({ length: random.between(1, 4) }).flatMap((_, i) => [
        typed(`price_${n}_${i + 1}`, { places: 7 }, { name: `levels_${n}`, list: 'levels' }),
        typed(`size_${n}_${i + 1}`, { places: 6 }, { name: `levels_${n}`, list: 'levels' }),
      ]),
  ]
  return Array.from({ length: random.between(1, 12) }).flatMap((_, n) => parts[random.below(parts.length)]!(n))
}

function someChunk(random: Random, columns: ValueColumn[], rowCount: number, before: number) {
  const isRepeating = random.below(2) === 0
  const entries = new Int32Array(rowCount)
  for (let row = 1; row < rowCount; row++) {
    entries[row] = entries[row - 1]! + (isRepeating && random.below(3) > 0 ? 0 : 1)
  }
  const entryCount = entries.at(-1)! + 1
  const timestampsMs = Float64Array.from(entries, (_, row) => FIRST_MS + 1_000 * (before + row))
  const texts = Array.from({ length: 5 }, () => `${ODD_TEXTS[random.below(ODD_TEXTS.length)]}${random.below(1_000)}`)
  const values = columns.map(() => new Float64Array(entryCount))
  for (let entry = 0; entry < entryCount; entry++) {
    columns.forEach((column, i) => {
      const isMissing = column.isNullable && (random.below(4) === 0 || endsBefore(columns, i, values, entry))
      values[i]![entry] = isMissing ? NULL : someValue(random, column.type, texts.length)
    })
  }
  const chunk: TableChunk = {
    rowCount,
    timestampsMs,
    entryCount,
    entries,
    values: (column) => values[column]!,
    texts: () => textsOf(texts),
  }
  const rows = Array.from(entries, (entry, row) => ({
    timestamp: timestampsMs[row]!,
    ...Object.fromEntries(columns.map(({ name, type }, i) => [name, cellOf(type, values[i]![entry]!, texts)])),
  }))
  return { chunk, rows }
}

/** Returns whether the levels of a group end before this column. */
function endsBefore(columns: ValueColumn[], index: number, values: Float64Array[], entry: number): boolean {
  const { group } = columns[index]!
  if (group === undefined || 'key' in group || group.list === 'values') return false
  const last = columns[index - 1]
  return last?.group?.name === group.name && values[index - 1]![entry] === NULL
}

function someValue(random: Random, type: ColumnType, textCount: number): number {
  if (type === 'flag') return random.below(2)
  if (type === 'text') return random.below(textCount)
  if (type === 'double') return someDouble(random)
  if (type === 'whole') return someWhole(random, WHOLE_MAX)
  return 'names' in type ? random.below(type.names.length) : someWhole(random, DECIMAL_MAX)
}

/** Returns a random integer with any number of digits. */
function someWhole(random: Random, max: number): number {
  const digits = random.between(0, 15)
  const whole =
    random.below(20) === 0 ? Math.floor(random.fraction() * max) : Math.floor(random.fraction() * 10 ** digits)
  return random.below(4) === 0 && whole > 0 ? -whole : whole
}

function someDouble(random: Random): number {
  const bits = new DataView(new ArrayBuffer(8))
  for (;;) {
    if (random.below(2) === 0) return someWhole(random, WHOLE_MAX) / 10 ** random.below(9)
    bits.setUint32(0, random.uint32())
    bits.setUint32(4, random.uint32())
    if (Number.isFinite(bits.getFloat64(0))) return bits.getFloat64(0)
  }
}

export function textsOf(texts: readonly string[]): Texts {
  const bytes = texts.map((text) => Buffer.from(text))
  const offsets = new Uint32Array(texts.length + 1)
  bytes.forEach(({ length }, i) => {
    offsets[i + 1] = offsets[i]! + length
  })
  return { arena: new Uint8Array(Buffer.concat(bytes)), offsets }
}

function cellOf(type: ColumnType, value: number, texts: readonly string[]): CellValue {
  if (value === NULL) return null
  if (type === 'flag') return value === 1
  if (type === 'text') return texts[value]!
  if (type === 'whole' || type === 'double') return value
  return 'names' in type ? type.names[value]! : Number(`${BigInt(value)}e-${type.places}`)
}
