// Writes results as files, one JSON per topic in bench/results. They belong to this machine and are not in the
// repository.

import { mkdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MeasuredTopic } from './run-rounds.ts'
import type { Size } from './topic.ts'

const FOLDER = fileURLToPath(new URL('results', import.meta.url))

export async function writeResult(measured: MeasuredTopic, { size }: { size: Size }): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const result = { measuredAt: new Date().toISOString(), revision: revision(), machine: machine(), size, ...measured }
  await Bun.write(join(FOLDER, `${measured.topic}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

export function machine(): { cores: number; cpu: string; memoryGb: number; bun: string } {
  const cores = cpus()
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return { cores: cores.length, cpu: cores[0]?.model ?? 'unknown', memoryGb, bun: Bun.version }
}

/** Returns the revision of the checkout; null outside a git clone. */
function revision(): string | null {
  const { stdout, success } = Bun.spawnSync(['git', 'describe', '--always', '--dirty'], { cwd: FOLDER })
  return success ? stdout.toString().trim() : null
}
