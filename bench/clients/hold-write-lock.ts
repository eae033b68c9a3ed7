// Holds the write lock of a store: `bun hold-write-lock.ts FOLDER MS`. Prints `held` when it has the lock, and exits
// after releasing it.

import { writeSync } from 'node:fs'
import { openEnvironment } from '../../storage/lmdb/environment.ts'

const [folder, ms] = process.argv.slice(2)
const { databases, close } = openEnvironment(folder!)
databases.root.transactionSync(() => {
  writeSync(1, 'held\n')
  Bun.sleepSync(Number(ms))
})
await close()
