// The entry point of backbook's command line.

import { expectStop } from './commands/server/stop-signal.ts'

const words = process.argv.slice(2)
expectStop(words)
// Installs the signal handlers first: loading the rest takes longer than a signal may wait.
const [{ exitWhenOutputCloses }, { runCommand }] = await Promise.all([
  import('./commands/terminal/output.ts'),
  import('./run-command.ts'),
])
exitWhenOutputCloses()
process.exitCode = await runCommand(words, process)
