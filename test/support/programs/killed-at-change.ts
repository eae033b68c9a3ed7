// Kills a process after a number of changes to its files. The changes show its progress, so no clock is needed.

import { watch } from 'node:fs'

/** Kills `child` at the `count`th change below `folder`. Returns once it has ended. A process that makes fewer changes
 *  ends by itself. */
export async function killedAtChange(child: Bun.Subprocess, folder: string, count: number): Promise<void> {
  let changes = 0
  const watcher = watch(folder, { recursive: true }, () => {
    changes++
    if (changes === count) child.kill('SIGKILL')
  })
  await child.exited
  watcher.close()
}
