// Shared by `backup` and `restore`: the exit codes of their errors, and the advice for a cluster.

import { BackupError, TargetExists } from '../backup/manifest.ts'
import { CommandError, EXIT } from './terminal/program.ts'

/** The advice of `backup` and `restore` for a cluster's store. */
export const CLUSTER_BACKUP = 'back that up with pg_dump and a copy of the bucket (docs/cluster.md)'

/** Converts a BackupError to a CommandError; returns other errors unchanged. A target that exists is a usage error, as
 *  in other commands. */
export function backupFailure(error: unknown): unknown {
  if (!(error instanceof BackupError)) return error
  return new CommandError(error.message, error instanceof TargetExists ? EXIT.usage : EXIT.failed)
}
