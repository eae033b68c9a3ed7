// Formats answers for a tool, with readable times. Rows are CSV, after a line that says what the rows are and what is
// left out.

import type { Rows } from './server-client.ts'

/** `note` is a sentence about the rows, or empty. */
export type Shown = { what: string; rows: Rows; narrower: string; note?: string }

export function shownRows({ what, rows: { lines, total, hasMore }, narrower, note = '' }: Shown): string {
  const [names = '', ...rows] = lines
  if (rows.length === 0) return `${what}: none in this time. coverage shows what is stored.`
  const left = hasMore ? ` There are more. ${narrower}` : ''
  const count = total === null || !hasMore ? `${rows.length}` : `the first ${rows.length} of ${total}`
  return `${what}: ${count}.${left}${note === '' ? '' : ` ${note}`}\n${names}\n${rows.map(withTime).join('\n')}`
}

/** Makes the time of a row readable. The time is the first value of the row, in Unix ms. */
function withTime(row: string): string {
  const end = row.indexOf(',')
  return `${new Date(Number(row.slice(0, end))).toISOString()}${row.slice(end)}`
}

const TIME_NAME = /^(?:as_of|from|to|\w*timestamp)$/

/** Returns the answer as JSON, with its times as readable text. */
export const withTimes = (answer: object): string =>
  JSON.stringify(answer, (name, value: unknown) =>
    typeof value === 'number' && TIME_NAME.test(name) ? new Date(value).toISOString() : value,
  )
