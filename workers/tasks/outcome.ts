// What a task sends back. A class does not survive the way between threads, only its message does: an expected failure
// travels as data, and becomes a DataError again on the other side.

import { DataError, type DataErrorCode } from '../../storage/failures.ts'

export type Failure = { code: DataErrorCode; message: string }

/** Undefined for a bug, which should look like one. */
export function failureOf(error: unknown): Failure | undefined {
  return error instanceof DataError ? { code: error.code, message: error.message } : undefined
}

export function toError({ code, message }: Failure): DataError {
  return new DataError(code, message)
}
