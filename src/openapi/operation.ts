// What a route says of itself beyond its parameters, as the `detail` that the framework leaves to the documentation.
// Answers are told there and not as the route's `response`: the framework would check each answer against that.

import type { TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { ProblemCode } from '../http/problem/problem.ts'
import { type HeaderName, headersOf } from './answer-headers.ts'
import { problemAnswers } from './problem-answers.ts'

export type Tag = 'polymarket' | 'kalshi' | 'lookup' | 'keys' | 'usage' | 'billing' | 'service'

/** Who may ask: holders of an API key (`bearer`: what is no call of a plan), of the admin token (or this machine), everybody. */
export type Access = 'key' | 'bearer' | 'management' | 'monitoring' | 'public'

export type Operation = {
  /** Stays as it is for ever: generated clients name their functions by it. */
  id: string
  summary: string
  description?: string
  tag: Tag
  access: Access
  answer: () => Answer
  /** Beyond those of its access and of parameters that are not valid. */
  failures?: readonly ProblemCode[]
  /** What the framework does not know of: headers, bodies that are read as they come. */
  parameters?: object[]
  requestBody?: object
}

/** Of a connection in place of an answer: WebSocket, and server-sent events where it has them. */
export type ConnectionOperation = Omit<Operation, 'answer'> & { connection: { hasEvents: boolean } }

export type Answer = {
  description: string
  /** JSON unless said otherwise. */
  type?: string
  schema: TSchema
  example: unknown
  headers?: readonly HeaderName[]
  /** Those that come with the rows alone, in other types than JSON. */
  rowHeaders?: readonly HeaderName[]
  /** Whether a part of it may be asked for. */
  isPartial?: true
  /** The same in other types. */
  others?: readonly { type: string; schema: TSchema; example?: unknown }[]
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

/** In this order, since Swagger UI puts the cursor into the last. */
// The page asks for them in this order.
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
    description: "The server's MONITORING_TOKEN: shows figures. Where it has none, everybody sees them",
  },
  adminToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-admin-token',
    description: "The server's ADMIN_TOKEN. Where it has none, management is open to its own machine without",
  },
} as const

const RATE_LIMIT: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit']
/** Of answers of the market endpoints, which a client may keep. */
const VALIDATORS: readonly HeaderName[] = ['ETag', 'Cache-Control']
const EVERYWHERE: readonly ProblemCode[] = ['parameters_invalid', 'url_too_long']
/** Of answers that are compressed for clients that take that. */
export const COMPRESSED: readonly HeaderName[] = ['Vary', 'Content-Encoding']
export const STREAMED_FAILURES: readonly ProblemCode[] = ['block_corrupt', 'overloaded', 'work_lost']
export const BODY_FAILURES: readonly ProblemCode[] = ['body_invalid', 'body_too_large', 'body_type_unknown']

/** `answers` are made when the document is: a start waits for none of it, and the framework, which copies the details
 *  of routes as it joins them, copies no schemas. */
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
  const told = about.answer()
  const { description, type = 'application/json', schema, example, headers = [], rowHeaders = [], others = [] } = told
  const names: HeaderName[] = ['x-request-id', ...limits, ...(isOfMarkets ? VALIDATORS : []), ...headers]
  const content = Object.fromEntries(
    [{ type, schema, example }, ...others].map(({ type: each, ...rest }) => [each, rest]),
  )
  const good = { description, headers: headersOf([...names, ...rowHeaders]), content }
  const unchanged = {
    description: 'What the ETag in If-None-Match stands for has not changed',
    headers: headersOf(names),
  }
  const part = { description: 'The bytes that the header Range asks for', content }
  const partial = told.isPartial ? { 206: { ...part, headers: headersOf([...names, 'Content-Range']) } } : {}
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

/** A second path of an endpoint that the document has already. */
export const alias: DocumentDecoration = { hide: true }
