// The entry point of backbook's command line.

import { expectStop } from './commands/server/stop-signal.ts'

const words = process.argv.slice(2)
expectStop(words)
// Loads the rest only after the signal handlers are installed, since a signal may arrive while it loads.
const [{ exitWhenOutputCloses }, { runCommand }] = await Promise.all([
  import('./commands/terminal/output.ts'),
  import('./run-command.ts'),
])
exitWhenOutputCloses()
process.exitCode = await runCommand(words, process)
