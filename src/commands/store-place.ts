// Which store a command works on: that of a cluster, or the one in the data folder.

import type { StorePlace } from '../../storage/open-store.ts'
import type { Config } from '../config/config.ts'
import { CommandError, EXIT } from './terminal/program.ts'

export const placeOf = ({ data: folder, cluster }: Config): StorePlace => ({ folder, cluster })

/** Of a command that works on files. Throws CommandError where the store is a cluster's: `instead` is what its keeper
 *  uses then. */
export function folderOf({ data, cluster }: Config, command: string, instead: string): string {
  if (cluster === null) return data
  throw new CommandError(
    `${command} works on a store in a data folder, and STORE_URL names one of a cluster: ${instead}`,
    EXIT.usage,
  )
}
