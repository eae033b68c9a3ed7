// The one place where failures become HTTP answers: RFC 9457 problem+json. The compiler checks that every code has a
// status and a title.

import { ValueErrorType } from '@sinclair/typebox/errors'
import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia'
import { DataError, type DataErrorCode } from '../../../storage/failures.ts'
import { AccountsUnavailable } from '../../accounts/sql/accounts-unavailable.ts'
import { isParameter, mustBe, refusedBy, requiredAs, unknownParameter } from '../parameters/parameter.ts'
import type { LogFailure } from '../server/failure-log.ts'
import { ENCODING_ACCEPTED, isEncoded } from '../server/percent-encoding.ts'
import {
  type FieldError,
  parametersInvalid,
  quoted,
  REQUEST_FAILURES,
  RequestFailure,
  type RequestFailureCode,
} from '../server/request-failure.ts'
import { requestIdOf } from '../server/request-id.ts'
import { pathOf } from '../server/request-path.ts'
import type { RouteTable } from '../server/route-table.ts'

export const DATA_FAILURES = {
  market_not_stored: { status: 404, title: 'The market is not stored' },
  block_corrupt: { status: 500, title: 'Stored data is damaged' },
  cursor_stale: { status: 400, title: 'The cursor is no longer exact' },
  overloaded: { status: 503, title: 'The server is busy' },
  work_lost: { status: 503, title: 'The work on the request was lost' },
  store_unavailable: { status: 503, title: 'The store cannot be read' },
  blocks_unavailable: { status: 503, title: 'Stored blocks cannot be fetched' },
  disk_full: { status: 503, title: 'The disk is full' },
} as const satisfies Record<DataErrorCode, { status: number; title: string }>

export type ProblemCode = RequestFailureCode | DataErrorCode

const RETRY_AFTER_SECONDS = '1'

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  request_id: string
  errors?: readonly FieldError[]
}

/** Answers every failure of the app that uses it. Also logs failures of the server itself. */
export const problems = (routes: RouteTable, log: LogFailure) =>
  new Elysia({ name: 'problems' }).onError({ as: 'global' }, ({ error, request }) => {
    const requestId = requestIdOf(request)
    const failure = expectedFailure(error, request, routes)
    if (failure === undefined || isOurs(failure)) log(requestId, request, error)
    return problemResponse(failure ?? internal(), requestId)
  })

const REQUEST_OR_DATA = { ...REQUEST_FAILURES, ...DATA_FAILURES }
/** 5xx errors that are expected and not logged. */
const QUIET: readonly string[] = ['overloaded', 'billing_not_configured']
const isOurs = ({ code }: RequestFailure | DataError) => REQUEST_OR_DATA[code].status >= 500 && !QUIET.includes(code)
const internal = () => new RequestFailure('internal', 'The server failed while it worked on this request')

/** Returns undefined for a bug, whose message only goes to the log. */
function expectedFailure(error: unknown, request: Request, routes: RouteTable): RequestFailure | DataError | undefined {
  if (error instanceof RequestFailure || error instanceof DataError) return error
  if (error instanceof AccountsUnavailable) {
    return new RequestFailure('accounts_unavailable', 'The accounts database does not answer: try again later')
  }
  if (error instanceof ValidationError) return parametersInvalid(fieldErrors(error, pathOf(request.url)))
  if (error instanceof NotFoundError) return routeFailure(request, routes)
  if (error instanceof ParseError) {
    if (error.cause instanceof RequestFailure) return error.cause
    return new RequestFailure('body_invalid', 'The body must be one JSON object')
  }
  return undefined
}

export function problemResponse(failure: RequestFailure | DataError, requestId: string): Response {
  const { status, title } = REQUEST_OR_DATA[failure.code]
  const problem: Problem = {
    type: `urn:backbook:problem:${failure.code}`,
    title,
    status,
    detail: failure instanceof DataError ? failure.forClients : failure.message,
    code: failure.code,
    request_id: requestId,
  }
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (status === 503) headers['retry-after'] = RETRY_AFTER_SECONDS
  if (failure instanceof RequestFailure) {
    if (failure.errors.length > 0) problem.errors = failure.errors
    Object.assign(headers, failure.headers)
  }
  return new Response(JSON.stringify(problem), { status, headers })
}

function routeFailure(request: Request, routes: RouteTable): RequestFailure {
  const pathname = pathOf(request.url)
  const methods = routes.methodsOf(pathname)
  if (methods.length === 0) return nothingAt(pathname)
  const allow = methods.join(', ')
  const message = `${pathname} accepts ${allow}, got ${request.method}`
  return new RequestFailure('method_not_allowed', message, { headers: { allow } })
}

export const nothingAt = (pathname: string) =>
  new RequestFailure('route_unknown', `There is nothing at ${quoted(pathname)}: see /docs`)

type Invalid = ValidationError['all'][number] & object

/** One error per field. */
function fieldErrors(error: ValidationError, pathname: string): FieldError[] {
  const byField = new Map<string, string>()
  for (const each of error.all) {
    if (each === undefined) continue
    const field = each.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!byField.has(field)) byField.set(field, notEncodedIn(pathname, error, each) ?? fieldMessage(each))
  }
  return Array.from(byField, ([field, message]) => ({ field: field === '' ? error.type : field, message }))
}

/** Reports the first path segment that cannot be decoded; the framework passes it as null. */
function notEncodedIn(pathname: string, { type }: ValidationError, { value }: Invalid): string | undefined {
  if (type !== 'params' || value !== null) return undefined
  const given = pathname.split('/').find((segment) => !isEncoded(segment))
  return mustBe(ENCODING_ACCEPTED, given)
}

function fieldMessage({ type, schema, value, message }: Invalid): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    return unknownParameter(Object.keys(schema['properties']))
  }
  if (!isParameter(schema)) return value === undefined ? `is required: ${message}` : `got ${quoted(value)}: ${message}`
  return value === undefined ? requiredAs(schema.accepts) : refusedBy(schema, value)
}
