// Parses the header Range: which bytes of a file a request wants (RFC 9110, section 14).

/** First and last byte, both inclusive, within the file. */
export type ByteRange = { first: number; last: number }

const SINGLE = /^bytes=(?:(\d{1,16})-(\d{0,16})|-(\d{1,16}))$/i

/** Returns null for the whole file: if there is no Range header, if the header has several ranges or an invalid one
 *  (a server may ignore these), or if the client has part of another version (If-Range). Returns `none` if the range
 *  is outside of the file. `etag` is strong. */
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
  // A range that ends before it starts is invalid.
  if (last < first && to !== '') return null
  return first >= size ? 'none' : { first, last: Math.min(last, size - 1) }
}
