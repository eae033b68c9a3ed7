// Takes the bytes of a range out of a response. Only the exact bytes are accepted.

import { readBody } from '../../retry/http-client.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import { type ObjectRange, ObjectTooShort } from './objects.ts'

/** Reads a range. `response` has status 200, 206 or 416. */
export async function readRange(response: Response, range: ObjectRange): Promise<Uint8Array> {
  const { status, headers } = response
  const { start, length } = range
  const end = start + length
  const announced = Number(headers.get('content-length') ?? Number.NaN)
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  const isTooShort = status === 416 || (status === 206 && Number(first) === start && Number(total) < end)
  const isRange = status === 206 && Number(first) === start && Number(last) === end - 1
  const isWhole = status === 200 && start === 0 && announced === length
  if (isTooShort || !(isRange || isWhole)) {
    await response.body?.cancel()
    throw isTooShort ? new ObjectTooShort(range) : new TransientFailure('it answers with another range')
  }
  const bytes = announced === length ? await response.bytes() : await readBody(response, length)
  if (bytes.length < length) throw new TransientFailure('its answer broke off')
  return bytes
}
