// Returns a key for the code that decides what a store holds, so that each revision of that code has a store of its
// own.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceKey } from './source-key.ts'

const WORKERS = fileURLToPath(new URL('../../workers', import.meta.url))
/** Folders whose code only reads from a store or generates captures. Captures have keys of their own. */
const READERS = [
  'arrow',
  'changes',
  'files',
  'instant',
  'parquet',
  'pool',
  'read',
  'synthetic',
  'table',
  'tasks',
  'trades',
  'verify',
]

export function storeKey(): string {
  const writers = readdirSync(WORKERS).filter((name) => !READERS.includes(name))
  return sourceKey('storage', ...writers.sort().map((name) => join('workers', name)), 'bun.lock')
}
