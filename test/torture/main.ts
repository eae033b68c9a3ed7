// `bun run torture [topics] [--minutes N] [--rounds N] [--seed N] [--seeds N] [--smoke]`: everything that can go wrong, made to go
// wrong. A failure prints the seed that repeats it. However a run ends, its servers end and its folder is gone.

import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { killGroup, makeRunFolder, sweepRunFolders } from './run-folder.ts'

/** Not SIGHUP: by default it ends this process, and under `nohup` it does not; a handler would undo that. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

sweepRunFolders()
const folder = makeRunFolder()
const command = [process.execPath, join(import.meta.dir, 'run-topics.ts'), ...process.argv.slice(2)]
const topics = Bun.spawn(command, {
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, TMPDIR: folder },
  // A group of its own, which all that it starts belongs to.
  detached: true,
})
let ended: number | null = null
for (const signal of SIGNALS) process.on(signal, () => end(128 + constants.signals[signal]))
// `bun run` that is killed cannot pass it on.
const parent = process.ppid
if (process.env['npm_lifecycle_event'] !== undefined) setInterval(() => process.ppid === parent || end(1), 500)
const exitCode = await topics.exited
killGroup(topics.pid)
rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
process.exit(ended ?? exitCode)

function end(code: number): void {
  ended = code
  killGroup(topics.pid)
}
