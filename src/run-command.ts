// Runs the command that a command line names. Each command has a file, listed here. Loads only the file of the named
// command, so that `ingest` does not wait for the web framework. The help loads all files.

import { type AddCommand, createProgram, runProgram } from './commands/terminal/program.ts'
import { onTerminal, type Terminal } from './commands/terminal/terminal.ts'

const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./commands/server/serve.ts')).addServeCommand,
  record: async () => (await import('./commands/server/record.ts')).addRecordCommand,
  mcp: async () => (await import('./commands/server/mcp.ts')).addMcpCommand,
  ingest: async () => (await import('./commands/data/ingest.ts')).addIngestCommand,
  import: async () => (await import('./commands/import/import.ts')).addImportCommand,
  imports: async () => (await import('./commands/import/imports.ts')).addImportsCommand,
  keys: async () => (await import('./commands/accounts/keys.ts')).addKeysCommand,
  plans: async () => (await import('./commands/accounts/plans.ts')).addPlansCommand,
  markets: async () => (await import('./commands/finding/markets.ts')).addMarketsCommand,
  coverage: async () => (await import('./commands/finding/coverage.ts')).addCoverageCommand,
  info: async () => (await import('./commands/finding/info.ts')).addInfoCommand,
  search: async () => (await import('./commands/finding/search.ts')).addSearchCommand,
  calendar: async () => (await import('./commands/finding/calendar.ts')).addCalendarCommand,
  active: async () => (await import('./commands/finding/active.ts')).addActiveCommand,
  summary: async () => (await import('./commands/questions/summary.ts')).addSummaryCommand,
  trades: async () => (await import('./commands/questions/trades.ts')).addTradesCommand,
  'trade-summary': async () => (await import('./commands/questions/trades.ts')).addTradeSummaryCommand,
  depth: async () => (await import('./commands/questions/depth.ts')).addDepthCommand,
  'depth-map': async () => (await import('./commands/questions/depth-map.ts')).addDepthMapCommand,
  book: async () => (await import('./commands/questions/book.ts')).addBookCommand,
  changes: async () => (await import('./commands/questions/changes.ts')).addChangesCommand,
  export: async () => (await import('./commands/data/export.ts')).addExportCommand,
  verify: async () => (await import('./commands/data/verify.ts')).addVerifyCommand,
  backup: async () => (await import('./commands/data/backup.ts')).addBackupCommand,
  mirror: async () => (await import('./commands/data/mirror.ts')).addMirrorCommand,
  restore: async () => (await import('./commands/data/restore.ts')).addRestoreCommand,
  compact: async () => (await import('./commands/data/compact.ts')).addCompactCommand,
  sweep: async () => (await import('./commands/cluster/sweep.ts')).addSweepCommand,
  copy: async () => (await import('./commands/data/copy.ts')).addCopyCommand,
  'keep-slugs': async () => (await import('./commands/data/keep-slugs.ts')).addKeepSlugsCommand,
  delete: async () => (await import('./commands/data/delete.ts')).addDeleteCommand,
  demo: async () => (await import('./commands/data/demo.ts')).addDemoCommand,
}

/** Runs the command that the first word names. Returns the exit code. */
export const runCommand = (words: readonly string[], terminal: Terminal): Promise<number> =>
  onTerminal(terminal, async () => {
    const isAlone = words[0] !== undefined && Object.hasOwn(COMMANDS, words[0])
    const names = isAlone ? [words[0]!] : Object.keys(COMMANDS)
    return runProgram(createProgram(await Promise.all(names.map((name) => COMMANDS[name]!()))), words)
  })
