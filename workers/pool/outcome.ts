// Sends expected failures of tasks between threads. An error's class does not survive the transfer, only its message
// does. So an expected failure is sent as data, and becomes a DataError again on the other side.

import { DataError, type DataErrorCode } from '../../storage/failures.ts'

export type Failure = { code: DataErrorCode; message: string; forClients?: string }

/** Returns an expected failure as data. Returns undefined for any other error: it is a bug, and must not look like an
 *  expected failure. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DataError) {
    const { code, message, forClients } = error
    return { code, message, forClients }
  }
  if (!isOutOfMemory(error)) return undefined
  return { code: 'work_lost', message: 'There was no memory for the answer: try again later, or request less at once' }
}

/** Returns whether the engine's message says that memory for a buffer or a large array ran out. If memory runs out for
 *  the smallest object, the process ends. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError && /^(?:Out of memory|Array buffer allocation failed)/i.test(error.message)

export const toError = ({ code, message, forClients }: Failure): DataError => new DataError(code, message, forClients)
