// The command line of backbook. One subcommand a file in commands/: add it to this list.

import { addDemoCommand } from './commands/demo.ts'
import { addIngestCommand } from './commands/ingest.ts'
import { addKeysCommand } from './commands/keys.ts'
import { createProgram, runProgram } from './commands/program.ts'
import { addServeCommand } from './commands/serve.ts'
import { addVerifyCommand } from './commands/verify.ts'

const program = createProgram([addServeCommand, addIngestCommand, addKeysCommand, addVerifyCommand, addDemoCommand])
process.exitCode = await runProgram(program, process.argv.slice(2))
