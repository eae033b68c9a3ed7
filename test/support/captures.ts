// The real captures. They are stored next to the project only where it is developed.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IS_LONG } from '../run/effort.ts'
import { isPresent } from '../run/missing.ts'

const folder = fileURLToPath(new URL('../../../shared/captures', import.meta.url))

export const hasCaptures = isPresent(existsSync(folder), 'the real captures in ../shared/captures')

export const capture = (path: string): string => join(folder, path)

/** Larger captures are tried only in a long run, except by tests that name one. */
const USUAL_BYTES_MAX = 400_000

/** Returns captures of records, without REST answers and metadata. A usual run gets one of each kind, a long run
 *  all. */
export function allCaptures(): string[] {
  if (!hasCaptures) return []
  const files = readdirSync(folder, { recursive: true }).map(String).sort()
  const captures = files.filter((file) => /\.(?:ndjson|jsonl)(?:\.gz)?$/.test(file)).map(capture)
  return captures.filter((file) => IS_LONG || statSync(file).size <= USUAL_BYTES_MAX)
}

export type ExpectedAnswer = { name: string; load: string[]; request: string; data: unknown[] }

export async function expectedAnswers(): Promise<ExpectedAnswer[]> {
  if (!hasCaptures) return []
  const names = readdirSync(capture('expected')).sort()
  return Promise.all(names.map(async (name) => ({ name, ...(await Bun.file(capture(`expected/${name}`)).json()) })))
}
