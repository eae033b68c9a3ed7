// The maintenance of a store in a folder, beyond the port: copies and compaction. Nothing above this file and
// open-store.ts knows LMDB.

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
