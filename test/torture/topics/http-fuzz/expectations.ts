// Rules that hold for every answer, whatever the request.

import { DATA_FAILURES } from '../../../../src/http/problem/problem.ts'
import { REQUEST_FAILURES } from '../../../../src/http/server/request-failure.ts'
import type { ValidateAnswer } from '../../../support/openapi.ts'
import type { RawAnswer } from '../load/raw-client.ts'
import type { FuzzRequest } from './requests.ts'

const STATUSES: Record<string, { status: number }> = { ...REQUEST_FAILURES, ...DATA_FAILURES }
/** Errors about the HTTP message itself. The documentation of an operation need not list them. */
const OF_THE_MESSAGE = ['url_too_long', 'expectation_unknown', 'body_type_unknown', 'body_too_large']
/** Error codes with status 5xx that are allowed, because this server sells no plans. */
const ALLOWED_5XX_CODES = ['billing_not_configured']
/** Longer answers are not validated: that takes long, and they have the same form as short ones. */
const CHECKED_BYTES_MAX = 100_000

/** Returns the faults of an answer; empty if there are none. */
export function wrongWith(request: FuzzRequest, { status, head, body }: RawAnswer, validate: ValidateAnswer): string[] {
  if (isOfTheRuntime(head)) return []
  const wrong: string[] = []
  const header = (name: string) => new RegExp(`^${name}: *(.*?)\r?$`, 'im').exec(head)?.[1]
  if (/^x-injected/im.test(head)) wrong.push('a header was injected')
  if (!/^[\w.-]{1,128}$/.test(header('x-request-id') ?? '')) wrong.push(`x-request-id ${header('x-request-id')}`)
  if (header('x-content-type-options') !== 'nosniff') wrong.push('no nosniff')
  if (status >= 400) return [...wrong, ...wrongProblem(request, { status, type: header('content-type'), body })]
  const type = header('content-type') ?? ''
  if (!type.startsWith('application/json') || header('content-encoding') !== undefined) return wrong
  if (status === 304 || request.method === 'head' || body.length > CHECKED_BYTES_MAX) return wrong
  const answer = parsed(body)
  if (answer === undefined) return [...wrong, `no JSON: ${body.toString().slice(0, 200)}`]
  if (request.isElsewhere || request.template.endsWith('.json') || request.template === '/docs/json') return wrong
  return [...wrong, ...validate(request.template, request.method, String(status), answer)]
}

/** Returns whether the runtime refused the request: invalid HTTP does not reach the program. */
const isOfTheRuntime = (head: string) => /^HTTP\/1.1 (?:400|431|505) [^\r]*\r\nConnection: close$/i.test(head)

function wrongProblem(
  { isElsewhere, operation }: FuzzRequest,
  { status, type, body }: { status: number; type: string | undefined; body: Buffer },
): string[] {
  const problem = parsed(body) as Record<string, unknown> | undefined
  if (type !== 'application/problem+json' || problem === undefined) return [`${status} is no problem: ${type} ${body}`]
  const code = String(problem['code'])
  const wrong: string[] = []
  if (!Object.hasOwn(STATUSES, code) || STATUSES[code]!.status !== status) wrong.push(`${status} with code ${code}`)
  if (problem['status'] !== status || typeof problem['detail'] !== 'string') wrong.push(`a problem without ${body}`)
  if (status >= 500 && !ALLOWED_5XX_CODES.includes(code)) wrong.push(`${status}: ${body}`)
  const isDocumented = Object.hasOwn(operation.responses, String(status)) || OF_THE_MESSAGE.includes(code)
  if (!isElsewhere && !isDocumented) wrong.push(`${status} ${code} is not documented for ${operation.operationId}`)
  return wrong
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
