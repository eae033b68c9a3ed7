// Which bytes of a file a request is for (RFC 9110, section 14).

/** Both ends inclusive, within the file. */
export type ByteRange = { first: number; last: number }

const SINGLE = /^bytes=(?:(\d{1,16})-(\d{0,16})|-(\d{1,16}))$/i

/** Null for all of the file: where nothing else is asked for; where several ranges are, or none that can be read, both
 *  of which a server may pass over; and where the client has the start of another file (If-Range). `none` where the
 *  file has no byte of the range. `etag` is strong. */
export function byteRangeOf(headers: Headers, etag: string, size: number): ByteRange | 'none' | null {
  const [, from, to, suffix] = SINGLE.exec(headers.get('range')?.trim() ?? '') ?? []
  if (from === undefined && suffix === undefined) return null
  const condition = headers.get('if-range')
  if (condition !== null && condition.trim() !== etag) return null
  if (from === undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'none' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === undefined || to === '' ? size - 1 : Number(to)
  // Such a range cannot be read.
  if (last < first && to !== '') return null
  return first >= size ? 'none' : { first, last: Math.min(last, size - 1) }
}
