// Prints rows as a plain text table.

import CliTable from 'cli-table3'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { terminal } from './terminal.ts'

const BLANK = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '' },
  ...{ 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
}

const BOLD = ['\x1b[1m', '\x1b[22m'] as const

/** The head is bold on a terminal, unless NO_COLOR is set. */
export function table(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const printed = new CliTable({
    head: head.map(boldHeader),
    chars: BLANK,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  for (const row of rows) printed.push(row.map((cell) => escapeControls(String(cell ?? '-'))))
  return `${printed
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

function boldHeader(text: string): string {
  const isColoured = terminal().stdout.isTTY && !terminal().env['NO_COLOR']
  return isColoured ? `${BOLD[0]}${text}${BOLD[1]}` : text
}
