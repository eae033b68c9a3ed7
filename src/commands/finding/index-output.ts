// Formats an index answer for commands: JSON as a server sends it, or its entries as NDJSON, CSV or a table.

import { Option } from 'commander'
import { quotedCsv } from '../../../workers/table/quoted-text.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'

const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const
export type IndexFormat = (typeof FORMATS)[number]
export type FormatOptions = { format?: IndexFormat; json?: true }

export type Cell = string | number | boolean | null
export type Answer = Record<string, unknown>
export type Row = Record<string, Cell>

export type Listing = {
  /** Returns the entries, which NDJSON prints one per line. If omitted, the entries are the answer's `data`. */
  entries?(answer: Answer): Answer[]
  /** Converts an entry to a CSV row. If omitted, the entry itself is the row. */
  row?(entry: Answer): Row
  /** The columns of a table and their headings; or a function that prints the table. */
  table: readonly (readonly [column: string, head: string])[] | ((answer: Answer) => string)
}

export const formatOption = (): Option =>
  new Option('--format <format>', 'output format (default: a table on a terminal, else CSV)').choices(FORMATS)

/** Throws CommandError if the options contradict each other. */
export function formatOf({ format, json }: FormatOptions): IndexFormat {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(`--json and --format ${format} contradict each other: give one of them`, EXIT.usage)
  }
  return json ? 'json' : (format ?? (terminal().stdout.isTTY ? 'table' : 'csv'))
}

export const entriesOf = ({ entries }: Listing, answer: Answer): Answer[] =>
  entries === undefined ? (answer['data'] as Answer[]) : entries(answer)

export function printed(listing: Listing, answer: Answer, format: IndexFormat): string {
  if (format === 'json') return `${JSON.stringify(answer)}\n`
  const { row = (entry) => entry as Row, table: printTable } = listing
  if (format === 'table' && typeof printTable === 'function') return printTable(answer)
  const entries = entriesOf(listing, answer)
  if (format === 'ndjson') return linesOf(entries.map((entry) => JSON.stringify(entry)))
  const rows = entries.map(row)
  return typeof printTable === 'function' || format === 'csv' ? csvOf(rows) : tableOf(rows, printTable)
}

const linesOf = (lines: string[]): string => lines.map((line) => `${line}\n`).join('')

function csvOf(rows: Row[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => Object.values(row).map(csvCell))
  return linesOf([Object.keys(rows[0]!), ...cells].map((line) => line.join(',')))
}

const csvCell = (cell: Cell): string => (typeof cell === 'string' ? quotedCsv(cell) : cell === null ? '' : String(cell))

function tableOf(rows: Row[], columns: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => columns.map(([column]) => printedCell(row[column] ?? null)))
  return table(
    columns.map(([, head]) => head),
    cells,
  )
}

/** Formats a cell on one line. */
export const printedCell = (cell: Cell): string | null =>
  cell === null
    ? null
    : escapeControls(
        typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 6 }) : String(cell),
      )
