// Sends requests to one bucket of an S3-compatible store: signed, a bounded number at a time, with retries where they
// help, and within a time limit. It uses fetch, because Bun's own S3 client has no time limit, no custom headers and no
// retries.

import { DataError } from '../../failures.ts'
import { fetchOnce, HttpFailure, type HttpInit } from '../../retry/http-client.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import type { ObjectSettings } from '../settings/cluster-settings.ts'
import { ObjectGone } from './objects.ts'
import { parseErrorCode } from './s3-answers.ts'
import {
  asDataError,
  connectionFailure,
  failureOf,
  isConnectionError,
  type S3Action,
  type S3Place,
} from './s3-failures.ts'
import { encodePath, encodeQuery, signedHeaders } from './s3-signature.ts'
import { type Clock, systemClock, withTries } from './tries.ts'
import { Turns } from './turns.ts'

export type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE'
  action: S3Action
  /** The key of the object, without the prefix of the settings. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}
/** Reads responses of status 2xx, and 416 if a range was requested. */
type ReadAnswer<T> = (response: Response) => Promise<T>

export type S3Context = {
  fetch: (url: string, init: HttpInit) => Promise<Response>
  clock: Clock
  random: () => number
}

const REQUESTS_MAX = 16

export class S3Connection {
  readonly #settings: ObjectSettings
  readonly #context: S3Context
  readonly #turns = new Turns(REQUESTS_MAX)
  /** Address of the bucket, without a slash at the end. */
  readonly #address: string
  readonly #place: S3Place
  /** How far this machine's clock is behind the store's, ms: 0 until the store rejects a signature because of it. */
  #behindMs = 0

  constructor(settings: ObjectSettings, context: Partial<S3Context>) {
    this.#settings = settings
    this.#context = { fetch: globalThis.fetch, clock: systemClock, random: Math.random, ...context }
    this.#address = bucketAddress(settings)
    this.#place = { bucket: settings.bucket, host: new URL(this.#address).host, region: settings.region }
  }

  /** Sends a request. Rejects with ObjectGone if no object has the key, with DataError, or the error of `read`. */
  async send<T>(request: S3Request, read: ReadAnswer<T>): Promise<T> {
    const limits = { timeoutMs: this.#settings.timeoutMs, turns: this.#turns, ...this.#context }
    try {
      return await withTries((signal) => this.#once(request, read, signal), limits)
    } catch (error) {
      throw asDataError(error, this.#place)
    }
  }

  async #once<T>(request: S3Request, read: ReadAnswer<T>, signal: AbortSignal): Promise<T> {
    const { fetch } = this.#context
    const isRanged = request.headers?.['range'] !== undefined
    const isAnswer = ({ ok, status }: Response) => ok || (status === 416 && isRanged)
    try {
      return await fetchOnce({ ...this.#signed(request), redirect: 'manual', signal, isAnswer, read, fetch })
    } catch (error) {
      if (error instanceof HttpFailure && error.status !== null) throw this.#refusal(request, error.status, error)
      const cause = error instanceof HttpFailure ? (error.cause ?? new TransientFailure(error.message)) : error
      throw isConnectionError(cause) ? connectionFailure(cause) : cause
    }
  }

  #signed({ method, key, query, headers, body }: S3Request) {
    const { prefix } = this.#settings
    const path = key === undefined ? '' : encodePath(prefix === '' ? key : `${prefix}/${key}`)
    const url = new URL(`${this.#address}/${path}${query === undefined ? '' : `?${encodeQuery(query)}`}`)
    const timestampMs = this.#context.clock.wallMs() + this.#behindMs
    // Signs only the required headers: proxies may rightly change the others.
    const signed = signedHeaders({ method, url, headers: {} }, this.#settings, timestampMs)
    return { url: url.href, method, headers: { ...signed, ...headers, 'accept-encoding': 'identity' }, body }
  }

  #refusal({ action, key }: S3Request, status: number, { headers, text, retryAfterMs }: HttpFailure): Error {
    if (Buffer.byteLength(text) < Number(headers.get('content-length')))
      return new TransientFailure('its answer broke off')
    const code = parseErrorCode(text)
    if (code === 'NoSuchKey' && key !== undefined) return new ObjectGone(key)
    const dateMs = Date.parse(headers.get('date') ?? '')
    const isSkewed = code === 'RequestTimeTooSkewed' && !Number.isNaN(dateMs)
    if (isSkewed) this.#behindMs = dateMs - this.#context.clock.wallMs()
    return failureOf({ status, code, headers, retryAfterMs }, action, this.#place)
  }
}

/** Returns the address of a bucket, without a slash at the end. With an endpoint, the bucket is in the path, which
 *  nearly every server supports. AWS wants the bucket in the host name, but a bucket with a dot is in the path: AWS
 *  has no certificate for such a host. Throws DataError('store_unavailable') if the bucket's name is invalid. */
export function bucketAddress({
  bucket,
  endpoint,
  region,
}: Pick<ObjectSettings, 'bucket' | 'endpoint' | 'region'>): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    const wanted = 'a bucket has 3 to 63 lower-case letters, digits, dots and hyphens'
    throw new DataError('store_unavailable', `Cannot use the bucket ${JSON.stringify(bucket)}: ${wanted}`)
  }
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}
