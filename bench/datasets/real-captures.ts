// Finds the real captures. They exist only where the project is developed, in a folder next to the project.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Size } from '../topic.ts'
import { usualCapture, type Venue } from './synthetic-capture.ts'

const FOLDER = fileURLToPath(new URL('../../../shared/captures', import.meta.url))

export type Captures = { isReal: boolean; files: string[] }

/** Returns the paths of the captures; an empty list if there are none. The smoke size always gets an empty list,
 *  so that its answers are the same on every machine. */
export function realCaptures(venue: Venue, size: Size): string[] {
  const folder = join(FOLDER, venue)
  if (size === 'smoke' || !existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true }).map(String).sort()
  return names
    .filter((name) => /\.ndjson(\.gz)?$/.test(name) && !/^(?:rest-books|gamma)\b/.test(name))
    .map((name) => join(folder, name))
}

/** Returns the real captures if they exist, else a synthetic day. */
export async function kalshiCaptures(size: Size): Promise<Captures> {
  const real = realCaptures('kalshi', size)
  return real.length > 0 ? { isReal: true, files: real } : { isReal: false, files: [await usualCapture(size)] }
}
