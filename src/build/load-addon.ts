// Loads LMDB's native addon in the single binary. The runtime writes an embedded addon into the folder for temporary
// files, under a name made from its bytes, and reuses it at the next start. If that folder does not allow writing or
// executing (a read-only container, a noexec mount), Linux can load it from memory.

import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY_FILE = 'backbook-lmdb'
const MFD_CLOEXEC = 1

/** Returns the addon's exports. If it cannot be loaded, ends the process with one line: nothing works without it. */
export function loadAddon(embedded: string): unknown {
  try {
    return loaded(embedded)
  } catch (error) {
    try {
      if (process.platform === 'linux') return loaded(memoryFile(embedded))
    } catch {
      // Report the first failure, because it is more informative than this second failure.
    }
    process.stderr.write(`backbook: ${explanation(error as Error)}\n`)
    process.exit(1)
  }
}

function loaded(path: string): unknown {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

const explanation = (error: Error) =>
  `LMDB cannot be loaded: ${error.message}. ` +
  (process.platform === 'linux' ? 'It needs glibc 2.34 and libstdc++ (the musl build: libstdc++ and libgcc). ' : '') +
  `It is written to the folder for temporary files, ${tmpdir()}; BUN_TMPDIR names another one`

/** Creates a file without a name, in memory. All threads load the same one: LMDB must not be in a process twice. */
function memoryFile(embedded: string): string {
  const existing = memoryFileOfProcess()
  if (existing !== undefined) return existing
  const name = Buffer.from(`${MEMORY_FILE}\0`)
  // musl can be loaded under this name too.
  const { symbols } = dlopen('libc.so.6', {
    memfd_create: { args: [FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
  })
  const path = `/proc/self/fd/${symbols.memfd_create(ptr(name), MFD_CLOEXEC)}`
  writeFileSync(path, readFileSync(embedded))
  return path
}

function memoryFileOfProcess(): string | undefined {
  const paths = readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`)
  return paths.find((path) => linkOf(path).startsWith(`/memfd:${MEMORY_FILE} `))
}

/** Returns the target of a link; an empty text if it cannot be read. A descriptor may be closed between the listing and
 *  this call; such a descriptor was not ours. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
