// Prints reports for --json: one line, with keys in snake case as in HTTP answers.

import { terminal } from './terminal.ts'

type Json = unknown

/** `names` maps internal keys to other public names. */
export function printReport(report: object, names: Readonly<Record<string, string>> = {}): void {
  printJson(publicNames(report, names))
}

export const printJson = (value: Json) => void terminal().stdout.write(`${JSON.stringify(value)}\n`)

function publicNames(value: Json, names: Readonly<Record<string, string>>): Json {
  if (Array.isArray(value)) return value.map((item) => publicNames(item, names))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [names[key] ?? snakeCase(key), publicNames(item, names)])
  return Object.fromEntries(entries)
}

const snakeCase = (key: string) => key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
