// Returns a key for the source code of parts of the program: cached data is valid only while its code is the same.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksum } from '../measure/checksum.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** `parts` are folders or files of the project. */
export function sourceKey(...parts: string[]): string {
  const files = parts.flatMap((part) => (/\.\w+$/.test(part) ? [part] : filesIn(part)))
  return checksum(Bun.version, ...files.flatMap((file) => [file, readFileSync(join(PROJECT, file))]))
}

function filesIn(folder: string): string[] {
  const names = readdirSync(join(PROJECT, folder), { recursive: true }).map(String).sort()
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}
