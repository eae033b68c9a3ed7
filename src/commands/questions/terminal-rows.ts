// Formats table rows for a terminal with fixed widths, so that they can be printed as they arrive.

import { type Column, NULL, numberOf, type Table, type TableChunk } from '../../../workers/table/table.ts'

/** The width is in characters. */
export type TerminalColumn = readonly [column: string, head: string, width: number]

const TIME_WIDTH = 'YYYY-MM-DD HH:MM:SS'.length
const WIDTH_MIN = 9
const line = (cells: string[]) => `${cells.join(' ')}\n`
const utf8 = new TextDecoder()

/** Prints all columns unless some are named. */
export function* terminalRows({ columns, chunks }: Table, named?: readonly TerminalColumn[]): Generator<string> {
  const wanted =
    named ?? columns.map(({ name }) => [name, name.toUpperCase(), Math.max(WIDTH_MIN, name.length)] as const)
  yield line(['TIME (UTC)'.padEnd(TIME_WIDTH), ...wanted.map(([, head, width]) => head.padStart(width))])
  const indexes = wanted.map(([column]) => columns.findIndex(({ name }) => name === column))
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    const { rowCount, timestampsMs, entries } = next.value
    const cells = indexes.map((index) => cellsOf(columns[index]!, next.value, index))
    let text = ''
    for (let row = 0; row < rowCount; row++) {
      const time = new Date(timestampsMs[row]!).toISOString().slice(0, TIME_WIDTH).replace('T', ' ')
      text += line([time, ...cells.map((cell, i) => cell(entries[row]!).padStart(wanted[i]![2]))])
    }
    yield text
  }
}

/** Returns a function that formats one cell of the column. `entry` is the index of the cell's value in the chunk. */
function cellsOf(column: Column, chunk: TableChunk, index: number): (entry: number) => string {
  const values = chunk.values(index)
  const textOf = (value: number): string => {
    const { type } = column
    if (typeof type === 'object' && 'names' in type) return type.names[value]!
    if (type !== 'text') return String(numberOf(column, value))
    const { arena, offsets } = chunk.texts(index)
    return utf8.decode(arena.subarray(offsets[value]!, offsets[value + 1]!))
  }
  return (entry) => (values[entry] === NULL ? '-' : textOf(values[entry]!))
}
