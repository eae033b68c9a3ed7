// Takes the bytes of a range out of a response. A server may send the range, the whole object if it ignores ranges, or
// something else; only the exact bytes are accepted.

import { TransientFailure } from '../../retry/with-retry.ts'
import { type ObjectRange, ObjectTooShort } from './objects.ts'

/** Reads a range. `response` has status 200, 206 or 416. */
export async function readRange(response: Response, range: ObjectRange): Promise<Uint8Array> {
  const { start, length } = range
  const end = start + length
  const isWhole = response.status !== 206
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  if (response.status === 416 || (isWhole && announced < end)) return await tooShort(response, range)
  if (!isWhole) {
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
    if (Number(total) < end && Number(first) === start) return await tooShort(response, range)
    if (Number(first) !== start || Number(last) !== end - 1) throw new TransientFailure('it answers with another range')
  }

  const skipped = isWhole ? start : 0
  const isExact = announced === length && skipped === 0
  const { bytes, count } = isExact ? await allBytes(response) : await takeBytes(response, skipped, length)
  if (bytes.length < length) throw new TransientFailure('its answer broke off')
  if (!isWhole && count !== length) throw new TransientFailure('it answers with more than the range')
  return bytes
}

async function tooShort({ body }: Response, range: ObjectRange): Promise<never> {
  await body?.cancel()
  throw new ObjectTooShort(range)
}

/** Returns the text of a response; rejects if it is longer than `bytesMax`. */
export async function readText(response: Response, bytesMax: number): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  const { bytes, count } = await takeBytes(response, 0, bytesMax)
  if (count > bytesMax) throw new TransientFailure(`its answer is longer than ${bytesMax} bytes`)
  if (count < announced) throw new TransientFailure('its answer broke off')
  return new TextDecoder().decode(bytes)
}

/** Returns up to `length` bytes of a body, after its first `skipped` bytes. Reads at most one chunk beyond them, and
 *  cancels the rest. `count` is the number of bytes that were read, including the skipped ones. */
async function takeBytes({ body }: Response, skipped: number, length: number) {
  const pieces: Uint8Array[] = []
  const end = skipped + length
  let count = 0
  if (body === null) return { bytes: new Uint8Array(0), count }
  const reader = body.getReader()
  while (count <= end) {
    const { done, value } = await reader.read()
    if (done) break
    const from = Math.max(0, skipped - count)
    if (from < value.length && count < end) pieces.push(value.subarray(from, end - count))
    count += value.length
  }
  if (count > end) await reader.cancel()
  return { bytes: Bun.concatArrayBuffers(pieces, length, true), count }
}

async function allBytes(response: Response) {
  const bytes = await response.bytes()
  return { bytes, count: bytes.length }
}
