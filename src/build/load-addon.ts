// Loads LMDB's native addon in the single binary. The runtime writes an embedded addon into the folder for temporary
// files, under a name made from its bytes, and reuses it at the next start.

import { tmpdir } from 'node:os'

/** Returns the addon's exports. If it cannot be loaded, ends the process with one line: nothing works without it. */
export function loadAddon(embedded: string): unknown {
  const module = { exports: {} }
  try {
    process.dlopen(module, embedded)
    return module.exports
  } catch (error) {
    process.stderr.write(`backbook: ${explanation(error as Error)}\n`)
    process.exit(1)
  }
}

const explanation = (error: Error) =>
  `LMDB cannot be loaded: ${error.message}. ` +
  (process.platform === 'linux' ? 'It needs glibc 2.34 and libstdc++ (the musl build: libstdc++ and libgcc). ' : '') +
  `It is written to the folder for temporary files, ${tmpdir()}; BUN_TMPDIR names another one`
