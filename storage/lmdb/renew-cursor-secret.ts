// Gives a restored store a new cursor secret. Records stored after the backup are missing from it and may be stored
// again differently, so cursors issued in between must not be accepted: they would point elsewhere.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFile } from '../data-folder/durable-file.ts'
import { newSecretRow, openEnvironment } from './environment.ts'
import { DATA_FILE, LOCK_FILE } from './store-file.ts'

/** Renews the secret of a copy that nothing else has open. The change is on the disk when this resolves. */
export async function renewCursorSecret(folder: string): Promise<void> {
  const { databases, path, close } = openEnvironment(folder)
  try {
    const { key, value } = newSecretRow()
    databases.root.transactionSync(() => void databases.rows.putSync(key, value))
  } finally {
    await close()
  }
  syncFile(join(path, DATA_FILE))
  rmSync(join(path, LOCK_FILE))
}
