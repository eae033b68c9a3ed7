// Gives a restored store a new secret for its cursors. What was stored after the backup is gone from it and may come
// again otherwise: cursors that were given then would be believed, and point somewhere else.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFile } from '../data-folder/replacement.ts'
import { newCursorSecret, openEnvironment } from './environment.ts'
import { DATA_FILE, LOCK_FILE } from './store-file.ts'
import { putMeta } from './values/stored-values.ts'

/** `folder` holds a copy that nobody else has open. On the disk when this resolves. */
export async function renewCursorSecret(folder: string): Promise<void> {
  const { databases, path, close } = openEnvironment(folder)
  try {
    databases.root.transactionSync(() => putMeta(databases, 'cursor_secret', newCursorSecret()))
  } finally {
    await close()
  }
  syncFile(join(path, DATA_FILE))
  rmSync(join(path, LOCK_FILE))
}
