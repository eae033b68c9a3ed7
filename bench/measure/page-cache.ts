// Makes a store cold: drops the store's file from the system's page cache, so that the next reader waits for the disk.

import { join } from 'node:path'

/** Returns whether it succeeded. The file must not be open. */
export function dropFromMemory(data: string): boolean {
  if (Bun.which('dd') === null) return false
  const file = join(data, 'store/data.mdb')
  // An empty copy with this flag only tells the system that the file is not needed in memory.
  const { success } = Bun.spawnSync(['dd', `if=${file}`, 'of=/dev/null', 'iflag=nocache', 'count=0', 'status=none'])
  return success
}
