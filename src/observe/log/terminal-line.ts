// Formats a log line for a terminal: time, level, message, then the other fields as name=value. Escapes control
// characters.

import { escapeControls } from './escape-controls.ts'

type Entry = { time: string; level: string; message?: string; error?: { stack?: string; message?: string } }

export function lineForTerminal(json: string): string {
  const { time, level, message = '', error, ...rest } = JSON.parse(json) as Entry
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`)
  const first = [time.slice(11, 23), level.toUpperCase().padEnd(5), escapeControls(message), ...fields].join(' ')
  if (error === undefined) return `${first}\n`
  const stack = (error.stack ?? error.message ?? '').split('\n')
  return `${[first, ...stack.map((line) => `    ${escapeControls(line)}`)].join('\n')}\n`
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/{}@%+-]+$/.test(value)) return value
  return escapeControls(JSON.stringify(value))
}
