// The command line of backbook.

import { endWithItsReader } from './commands/terminal/output.ts'
import { runCommand } from './run-command.ts'

endWithItsReader()
process.exitCode = await runCommand(process.argv.slice(2), process)
