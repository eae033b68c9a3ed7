// Silences lines that C libraries write to stderr. LMDB writes one without a line end for each failed write, which
// would make the next JSON log entry unreadable. The failures are reported as errors too.

import { dlopen, FFIType, ptr, toArrayBuffer } from 'bun:ffi'

const LIBC = 'libc.so.6'
const POINTER_BYTES = 8

/** Silences these lines in this process, including its threads. Only glibc has stderr as a variable: does nothing with
 *  another C library. */
export function silenceLibraries(): void {
  try {
    const { symbols } = dlopen(LIBC, {
      dlsym: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.ptr },
      fopen: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.ptr },
    })
    const stderr = symbols.dlsym(null, text('stderr'))
    const nowhere = symbols.fopen(text('/dev/null'), text('w'))
    if (stderr === null || nowhere === null) return
    new BigUint64Array(toArrayBuffer(stderr, 0, POINTER_BYTES))[0] = BigInt(nowhere)
  } catch {
    // After a failure here, the lines are still written.
  }
}

const text = (given: string) => ptr(Buffer.from(`${given}\0`))
