// Names the code that decides what a store holds: another revision of it has a store of its own.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceKey } from './source-key.ts'

const WORKERS = fileURLToPath(new URL('../../workers', import.meta.url))
/** What only answers from a store, or makes captures, which are named by what they hold. */
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
