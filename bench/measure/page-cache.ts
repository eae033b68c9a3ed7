// Makes a store cold: what the system keeps of its file in memory is given back, so that the next reader waits for the
// disk.

import { join } from 'node:path'

/** Whether it could be done; the file must not be open. */
export function dropFromMemory(data: string): boolean {
  if (Bun.which('dd') === null) return false
  const file = join(data, 'store/data.mdb')
  // An empty copy with this flag only tells the system that the file is not needed in memory.
  const { success } = Bun.spawnSync(['dd', `if=${file}`, 'of=/dev/null', 'iflag=nocache', 'count=0', 'status=none'])
  return success
}
