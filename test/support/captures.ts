// The real captures, which lie beside the project where it is developed and nowhere else.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../shared/captures', import.meta.url))

export const hasCaptures = existsSync(folder)
if (!hasCaptures) console.log('skipped: tests on real captures, since ../shared/captures is not here')

export const capture = (path: string): string => join(folder, path)

/** Every capture of records, without REST answers and metadata. */
export function allCaptures(): string[] {
  if (!hasCaptures) return []
  const files = readdirSync(folder, { recursive: true }).map(String).sort()
  return files.filter((file) => /\.(?:ndjson|jsonl)(?:\.gz)?$/.test(file)).map(capture)
}

export type ExpectedAnswer = { name: string; load: string[]; request: string; data: unknown[] }

export async function expectedAnswers(): Promise<ExpectedAnswer[]> {
  if (!hasCaptures) return []
  const names = readdirSync(capture('expected')).sort()
  return Promise.all(names.map(async (name) => ({ name, ...(await Bun.file(capture(`expected/${name}`)).json()) })))
}
