// The files that a server shows as they are, by their path in this project. The single binary has another module in
// place of this one. That module contains the files.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const PROJECT = resolve(import.meta.dir, '../..')
const SERVED = ['docs/**/*.md', 'docs/llms.txt', 'deploy/prometheus*.yml', 'src/client/backbook.d.ts']

export function servedTexts(): Record<string, string> {
  const paths = SERVED.flatMap((pattern) => [...new Glob(pattern).scanSync(PROJECT)]).sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]))
}
