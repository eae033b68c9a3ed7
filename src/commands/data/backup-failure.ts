// How `backup` and `restore` end where they cannot do what they were asked.

import { BackupError, TargetTaken } from '../../backup/manifest.ts'
import { CommandError, EXIT } from '../terminal/program.ts'

/** To be thrown instead. A target that is taken is a command line that cannot be used, as it is of other commands. */
export function backupFailure(error: unknown): unknown {
  if (!(error instanceof BackupError)) return error
  return new CommandError(error.message, error instanceof TargetTaken ? EXIT.usage : EXIT.failed)
}
