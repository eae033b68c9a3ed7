// `bun run torture [topics] [--minutes N] [--rounds N] [--seed N] [--seeds N] [--smoke]`: provokes everything that can
// go wrong. A failure prints the seed that repeats it. However a run ends, it leaves no server and no folder.

import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { killGroup, makeRunFolder, sweepRunFolders } from './run-folder.ts'

/** Without SIGHUP. A handler would end this process even under `nohup`. Without a handler, SIGHUP ends it, and
 *  `nohup` prevents that. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

sweepRunFolders()
const folder = makeRunFolder()
const command = [process.execPath, join(import.meta.dir, 'run-topics.ts'), ...process.argv.slice(2)]
const topics = Bun.spawn(command, {
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, TMPDIR: folder },
  // A separate process group, to which everything that it starts belongs.
  detached: true,
})
let ended: number | null = null
for (const signal of SIGNALS) process.on(signal, () => end(128 + constants.signals[signal]))
// If `bun run` is killed, it cannot pass the signal on.
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
