// Describes failures of an S3-compatible store in sentences. They name the bucket and the host, but never a key or a
// signature. From the server's response they quote only the status, the error code and the region.

import { DataError } from '../../failures.ts'
import { TransientFailure } from '../../retry/with-retry.ts'

/** What a request does, and the permission that it needs. */
export type S3Action = { verb: 'read objects' | 'write objects' | 'list objects' | 'delete objects'; right: string }

export type S3Place = { bucket: string; host: string; region: string }

type Refusal = {
  status: number
  /** The error code, such as AccessDenied; '' if the response has none. */
  code: string
  headers: Headers
  retryAfterMs: number
}

/** Codes of failures that a retry may resolve, whatever their status. */
const TRANSIENT_CODES = new Set([
  ...['BadDigest', 'IncompleteBody', 'InternalError', 'OperationAborted', 'RequestTimeout'],
  ...['RequestTimeTooSkewed', 'ServiceUnavailable', 'SlowDown', 'ThrottlingException', 'TooManyRequests'],
])
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const REGION_CODES = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
])

/** Returns the error for an unsuccessful response: a TransientFailure, or a DataError that a retry cannot resolve. */
export function failureOf(refusal: Refusal, { verb, right }: S3Action, place: S3Place): Error {
  const { status, code, headers, retryAfterMs } = refusal
  const answer = code === '' ? `${status}` : `${status} (${code})`
  if (TRANSIENT_CODES.has(code) || TRANSIENT_STATUSES.has(status)) {
    return new TransientFailure(`it answers ${answer}`, retryAfterMs)
  }
  if (code === 'NoSuchBucket') return unavailable(`There is no bucket ${place.bucket} at ${place.host}`)
  if (REGION_CODES.has(code) || (status >= 300 && status < 400)) {
    const region = headers.get('x-amz-bucket-region') ?? 'another one'
    return unavailable(
      `${nameOf(place)} is not in the region ${place.region} but in ${region}: AWS_REGION must name it`,
    )
  }
  if (code === 'AccessDenied') {
    return unavailable(`${nameOf(place)} does not let this key ${verb}: the key must have the right ${right}`)
  }
  if (status === 401 || status === 403) {
    return unavailable(`${nameOf(place)} does not accept the key: it answers ${answer}, AWS_ACCESS_KEY_ID and the \
others must be valid there`)
  }
  return unavailable(`${nameOf(place)} cannot be used: it answers ${answer} when asked to ${verb}`)
}

/** Returns the error to report when there are no more tries. */
export const asDataError = (error: unknown, place: S3Place): unknown =>
  error instanceof TransientFailure ? unavailable(`${nameOf(place)} cannot be used: ${error.message}`) : error

/** Returns whether there was no response, or an incomplete one. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof DataError) &&
  (error.name === 'AbortError' || typeof (error as NodeJS.ErrnoException).code === 'string')

export function connectionFailure(error: unknown): TransientFailure {
  const { code } = error as NodeJS.ErrnoException
  return new TransientFailure(REASONS[`${code}`] ?? `the connection failed (${code})`)
}

const UNTRUSTED =
  'its certificate is of an authority that is not trusted here; NODE_EXTRA_CA_CERTS can name a file with more'
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  ENOTFOUND: 'the name of its host is not known',
  EPROTO: 'it does not speak TLS, or no version that is accepted here',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
}

const nameOf = ({ bucket, host }: S3Place) => `The bucket ${bucket} at ${host}`
const unavailable = (sentence: string) => new DataError('blocks_unavailable', sentence)
