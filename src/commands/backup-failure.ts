// Turns the errors of `backup` and `restore` into exit codes.

import { BackupError, TargetTaken } from '../backup/manifest.ts'
import { CommandError, EXIT } from './terminal/program.ts'

/** A target that exists is a wrong command line, as it is for other commands. */
export function backupFailure(error: unknown): unknown {
  if (!(error instanceof BackupError)) return error
  return new CommandError(error.message, error instanceof TargetTaken ? EXIT.usage : EXIT.failed)
}
