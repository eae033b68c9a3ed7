// The documentation of a route beyond its parameters, in `detail`. Answers are documented there and not in the route's
// `response`, since the framework would check each answer against `response`.

import type { TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { Venue } from '../../storage/venue.ts'
import type { ProblemCode } from '../http/problem/problem.ts'
import { type HeaderName, headersOf } from './answer-headers.ts'
import { problemAnswers } from './problem-answers.ts'

export type Tag = Venue | 'lookup' | 'keys' | 'usage' | 'billing' | 'service'

/** Who may call. `key`, `bearer`: clients with an API key; a `bearer` call does not count against the plan.
 *  `management`: clients with the admin token or on this machine. `monitoring`: clients with the monitoring token. */
export type Access = 'key' | 'bearer' | 'management' | 'monitoring' | 'public'

export type Operation = {
  /** Must never change: generated clients name their functions by it. */
  id: string
  summary: string
  description?: string
  tag: Tag
  access: Access
  answer: () => Answer
  /** Failures in addition to those of `access` and of invalid parameters. */
  failures?: readonly ProblemCode[]
  /** Parts of the request that the framework does not know: headers, and bodies that are read as they arrive. */
  parameters?: object[]
  requestBody?: object
}

/** An operation that opens a connection instead of answering: a WebSocket, and also server-sent events if
 *  `hasEvents`. */
export type ConnectionOperation = Omit<Operation, 'answer'> & { connection: { hasEvents: boolean } }

export type Answer = {
  description: string
  /** The media type; JSON if omitted. */
  type?: string
  schema: TSchema
  headers?: readonly HeaderName[]
  /** Headers that come only with rows in types other than JSON. */
  rowHeaders?: readonly HeaderName[]
  /** True if a byte range may be requested. */
  isPartial?: true
  /** The same answer in other types. */
  others?: readonly { type: string; schema: TSchema }[]
}

const KEY_FAILURES = ['key_missing', 'key_unknown', 'key_revoked', 'key_expired'] as const

const ACCESS: Record<Access, { security: Record<string, string[]>[]; failures: readonly ProblemCode[] }> = {
  key: {
    security: [{ apiKey: [] }],
    failures: [
      ...KEY_FAILURES,
      'ticket_invalid',
      'scope_missing',
      'quota_exceeded',
      'rate_limited',
      'accounts_unavailable',
      'store_unavailable',
      'blocks_unavailable',
    ],
  },
  bearer: {
    security: [{ apiKey: [] }],
    failures: [...KEY_FAILURES, 'accounts_unavailable', 'store_unavailable'],
  },
  management: {
    security: [{ adminToken: [] }, {}],
    failures: ['admin_token_missing', 'admin_token_wrong', 'management_closed', 'accounts_unavailable'],
  },
  monitoring: { security: [{ monitoringToken: [] }, {}], failures: [] },
  public: { security: [], failures: [] },
}

/** Swagger UI lists these in order, and puts the cursor into the last one. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `bb_…`: `backbook keys create` or POST /keys makes one',
  },
  monitoringToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-monitoring-token',
    description: "The server's MONITORING_TOKEN: shows numbers. Without one, every client sees them",
  },
  adminToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-admin-token',
    description: "The server's ADMIN_TOKEN. Without one, management is open to the server's own machine",
  },
} as const

const RATE_LIMIT: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit']
/** Headers of answers of the market endpoints, which clients may cache. */
const VALIDATORS: readonly HeaderName[] = ['ETag', 'Cache-Control']
const EVERYWHERE: readonly ProblemCode[] = ['parameters_invalid', 'url_too_long']
/** Headers of answers that are compressed for clients that accept compression. */
export const COMPRESSED: readonly HeaderName[] = ['Vary', 'Content-Encoding']
export const STREAMED_FAILURES: readonly ProblemCode[] = ['block_corrupt', 'overloaded', 'work_lost']
export const BODY_FAILURES: readonly ProblemCode[] = ['body_invalid', 'body_too_large', 'body_type_unknown']

/** Returns the documentation of a route. `answers` is a function that is called only for the document, so the start
 *  does not wait for the schemas. The framework copies the details of routes when it joins routes. Because `answers` is
 *  a function, no schemas are copied. */
export function operation(about: Operation | ConnectionOperation): OperationDetail {
  const { id, summary, description, tag, access, parameters, requestBody } = about
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: ACCESS[access].security,
    answers: () => answersOf(about),
    ...((parameters && { parameters }) as Pick<DocumentDecoration, 'parameters'>),
    ...((requestBody && { requestBody }) as Pick<DocumentDecoration, 'requestBody'>),
  }
}

export type OperationDetail = DocumentDecoration & { answers: () => Record<string, object> }

function answersOf(about: Operation | ConnectionOperation): Record<string, object> {
  const { access, failures = [] } = about
  const isOfMarkets = access === 'key'
  const limits = isOfMarkets ? RATE_LIMIT : []
  const codes = new Set<ProblemCode>([...EVERYWHERE, ...ACCESS[access].failures, ...failures, 'internal'])
  const problems = problemAnswers([...codes], limits)
  if ('connection' in about) return { ...connectionAnswers(about.connection, limits), ...problems }
  const documented = about.answer()
  const { description, type = 'application/json', schema, headers = [], rowHeaders = [], others = [] } = documented
  const names: HeaderName[] = ['x-request-id', ...limits, ...(isOfMarkets ? VALIDATORS : []), ...headers]
  const content = Object.fromEntries([{ type, schema }, ...others].map(({ type: each, ...rest }) => [each, rest]))
  const good = { description, headers: headersOf([...names, ...rowHeaders]), content }
  const unchanged = {
    description: 'The answer has not changed since the ETag in If-None-Match',
    headers: headersOf(names),
  }
  const part = { description: 'The bytes that the header Range requests', content }
  const partial = documented.isPartial ? { 206: { ...part, headers: headersOf([...names, 'Content-Range']) } } : {}
  const answers = { 200: good, ...partial, ...(isOfMarkets ? { 304: unchanged } : {}) }
  return { ...answers, ...problems }
}

function connectionAnswers({ hasEvents }: { hasEvents: boolean }, limits: readonly HeaderName[]) {
  const headers = headersOf(['x-request-id', ...limits])
  const upgraded = { 101: { description: 'The connection is a WebSocket from here on', headers } }
  if (!hasEvents) return upgraded
  const schema = { type: 'string', example: 'data: {"type":"delta"}\n\n' }
  const content = { 'text/event-stream': { schema } }
  return { ...upgraded, 200: { description: 'The same as server-sent events, without an upgrade', headers, content } }
}

/** A second path of an endpoint that the document already lists. */
export const alias: DocumentDecoration = { hide: true }
