// Maintenance that only a store in a folder has: copies, compaction, a new cursor secret. Only this
// file and open-store.ts give the layers above access to LMDB.

export { compactStore } from './lmdb/compact.ts'
export { copyStore, usedBytes } from './lmdb/copy.ts'
export {
  type Environment,
  openEnvironment,
  openToRead,
  readersOf,
  renewCursorSecret,
  STORE_FOLDER,
  STORE_VERSION,
  storeFile,
} from './lmdb/environment.ts'
export { DATA_FILE, LOCK_FILE, readStoreMeta } from './lmdb/store-file.ts'
