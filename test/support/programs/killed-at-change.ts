// Kills a process at an event of its own: the files that it changes say how far it is, and no clock does.

import { watch } from 'node:fs'

/** Kills `child` when something below `folder` has changed for the `count`th time. Returns once it has ended; a process
 *  that changes less ends by itself. */
export async function killedAtChange(child: Bun.Subprocess, folder: string, count: number): Promise<void> {
  let changes = 0
  const watcher = watch(folder, { recursive: true }, () => {
    changes++
    if (changes === count) child.kill('SIGKILL')
  })
  await child.exited
  watcher.close()
}
