// What maintenance needs of a store beyond the port: copies, compaction, replacement. Above this file and open-store.ts
// nothing knows LMDB.

export { compactStore } from './lmdb/compact.ts'
export { copyStore, usedBytes } from './lmdb/copy.ts'
export {
  type Environment,
  openEnvironment,
  openToRead,
  readersOf,
  STORE_FOLDER,
  STORE_VERSION,
  storeFile,
  underWriteLock,
} from './lmdb/environment.ts'
export { renewCursorSecret } from './lmdb/renew-cursor-secret.ts'
export { DATA_FILE, LOCK_FILE, readStoreMeta } from './lmdb/store-file.ts'
