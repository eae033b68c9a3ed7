// Signs requests to an S3-compatible store: AWS Signature Version 4, in headers. Pure.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

import { createHash, createHmac } from 'node:crypto'

export type SigningKeys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null; region: string }
export type UnsignedRequest = {
  method: string
  /** `encodePath` and `encodeQuery` must have encoded the path and the query: the signature covers the encoded
   *  text. */
  url: URL
  headers: Record<string, string>
}

/** The body is not signed: Content-MD5 shows whether it arrived intact. */
const BODY_NOT_SIGNED = 'UNSIGNED-PAYLOAD'

/** Returns the headers to send with a request. The headers of the request are signed too. The caller may add other
 *  headers, which are not signed. */
export function signedHeaders(
  { method, url, headers }: UnsignedRequest,
  keys: SigningKeys,
  timestampMs: number,
): Record<string, string> {
  const time = new Date(timestampMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const all: Record<string, string> = { 'x-amz-content-sha256': BODY_NOT_SIGNED, ...headers, 'x-amz-date': time }
  if (keys.sessionToken !== null) all['x-amz-security-token'] = keys.sessionToken

  const signed = Object.entries({ ...all, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const query = url.search.slice(1)
  const request = [method, url.pathname, query, lines, names, all['x-amz-content-sha256']].join('\n')

  const scope = [time.slice(0, 8), keys.region, 's3', 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  const signature = hmac(key, toSign).toString('hex')
  const credential = `${keys.accessKeyId}/${scope.join('/')}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`
  return { ...all, authorization }
}

/** Encodes a key as the path of a URL. Throws RangeError for the segments '.' and '..', which would name another
 *  object. */
export function encodePath(key: string): string {
  const segments = key.split('/')
  if (segments.includes('.') || segments.includes('..')) throw new RangeError(`Cannot use ${key} as a key`)
  return segments.map(encode).join('/')
}

/** Encodes a query, in the order in which it is signed. */
export const encodeQuery = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')

/** Encodes everything but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
