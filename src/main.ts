// The command line of backbook. One subcommand a file in commands/: add it to this list. Only the one that is asked for
// is loaded, so that `ingest` does not wait for the web framework.

import { type AddCommand, createProgram, runProgram } from './commands/program.ts'

const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  ingest: async () => (await import('./commands/ingest.ts')).addIngestCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommand,
  plans: async () => (await import('./commands/plans.ts')).addPlansCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
}

const words = process.argv.slice(2)
const wanted = words[0] !== undefined && Object.hasOwn(COMMANDS, words[0]) ? [words[0]] : Object.keys(COMMANDS)
const commands = await Promise.all(wanted.map((name) => COMMANDS[name]!()))
process.exitCode = await runProgram(createProgram(commands), words)
