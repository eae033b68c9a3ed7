// The command line of backbook. One subcommand a file in commands/: add it to this list. Only the one that is asked for
// is loaded, so that `ingest` does not wait for the web framework; help and completion need all.

import { endWithItsReader } from './commands/output.ts'
import { type AddCommand, createProgram, runProgram } from './commands/program.ts'

const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  ingest: async () => (await import('./commands/ingest.ts')).addIngestCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommand,
  plans: async () => (await import('./commands/plans.ts')).addPlansCommand,
  markets: async () => (await import('./commands/markets.ts')).addMarketsCommand,
  coverage: async () => (await import('./commands/coverage.ts')).addCoverageCommand,
  summary: async () => (await import('./commands/summary.ts')).addSummaryCommand,
  export: async () => (await import('./commands/export.ts')).addExportCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  compact: async () => (await import('./commands/compact.ts')).addCompactCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  completion: async () => (await import('./commands/completion.ts')).addCompletionCommand,
}

endWithItsReader()
const words = process.argv.slice(2)
const isAlone = words[0] !== undefined && words[0] !== 'completion' && Object.hasOwn(COMMANDS, words[0])
const wanted = isAlone ? [words[0]!] : Object.keys(COMMANDS)
const commands = await Promise.all(wanted.map((name) => COMMANDS[name]!()))
process.exitCode = await runProgram(createProgram(commands), words)
