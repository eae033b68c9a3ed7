// Lines that libraries in C write to stderr by themselves. LMDB writes one without an end for each write that fails,
// and the entry of a log in JSON behind it could not be read. Its failures are reported as errors too.

import { dlopen, FFIType, ptr, toArrayBuffer } from 'bun:ffi'

const LIBC = 'libc.so.6'
const POINTER_BYTES = 8

/** Silences them in this process, its threads included. Does nothing where the C library is not glibc, in which stderr
 *  is a variable. */
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
    // The lines stay.
  }
}

const text = (given: string) => ptr(Buffer.from(`${given}\0`))
