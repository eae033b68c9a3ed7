// The failures of an endpoint as documented answers: one per status, with its possible codes.

import { Type } from '@sinclair/typebox'
import { DATA_FAILURES, type ProblemCode } from '../http/problem/problem.ts'
import { REQUEST_FAILURES } from '../http/server/request-failure.ts'
import { type HeaderName, headersOf } from './answer-headers.ts'
import { named, text, whole } from './field.ts'

const FAILURES = { ...REQUEST_FAILURES, ...DATA_FAILURES }

const fieldError = named('FieldError', 'What is wrong with one parameter', {
  field: text('Its name', 'resolution'),
  message: text('What the value must be, and what it was', 'must be a whole number from 1 to 3600, got "3601"'),
})

export const problemSchema = named('Problem', 'A failure (RFC 9457). Program against code', {
  type: text('The code as a URN', 'urn:backbook:problem:parameters_invalid'),
  title: text('The meaning of the code: always the same text', 'A parameter is not valid'),
  status: whole('The HTTP status', 400),
  detail: text(
    'What happened: one sentence for people',
    'resolution must be a whole number from 1 to 3600, got "3601"',
  ),
  code: Type.Unsafe<ProblemCode>({
    type: 'string',
    enum: Object.keys(FAILURES).sort(),
    description: 'The failure',
    example: 'parameters_invalid',
  }),
  request_id: text("The x-request-id of the answer, as in the server's log", 'e3edd0d4-9d7a-4d68-bb08-8ec47acd1031'),
  errors: Type.Optional(Type.Array(fieldError, { description: 'The wrong parameters, if there are any' })),
})

/** Headers of one status. WWW-Authenticate does not apply to a refused admin token. */
function ownHeaders([code]: readonly ProblemCode[]): HeaderName[] {
  const { status } = FAILURES[code!]
  if (code === 'key_missing' || code === 'monitoring_token_missing') return ['WWW-Authenticate']
  return status === 429 || status === 503 ? ['Retry-After'] : []
}

/** True for a status without plan headers. These headers are absent until the key is known and accepted for the
 *  venue. */
const isBeforePlans = (status: number) => status === 401 || status === 403 || status === 414

/** Returns the documented answers for these failures, by status. `limits` are the plan headers, for endpoints that have
 *  them. */
export function problemAnswers(codes: readonly ProblemCode[], limits: readonly HeaderName[]): Record<string, object> {
  const statuses = new Set(codes.map((code) => FAILURES[code].status))
  const answers = Array.from(statuses, (status) => {
    const ofStatus = codes.filter((code) => FAILURES[code].status === status)
    const description = ofStatus.map((code) => `\`${code}\`: ${FAILURES[code].title}.`).join(' ')
    const content = { schema: problemSchema, examples: Object.fromEntries(ofStatus.map(referenceTo)) }
    return [
      String(status),
      {
        description,
        headers: headersOf(['x-request-id', ...ownHeaders(ofStatus), ...(isBeforePlans(status) ? [] : limits)]),
        content: { 'application/problem+json': content },
      },
    ]
  })
  return Object.fromEntries(answers)
}

const referenceTo = (code: ProblemCode) => [code, { $ref: `#/components/examples/${code}` }]

/** The `detail` in the examples of the most common failures. */
const DETAILS: Partial<Record<ProblemCode, string>> = {
  parameters_invalid: 'resolution must be a whole number from 1 to 3600, got "3601"',
  date_too_early: 'date must be 2026-02-08 or later, got "2026-01-31"',
  key_missing: 'An API key is required: send the header "Authorization: Bearer <API key>"',
  key_unknown: 'This server does not know the API key',
  market_not_stored:
    'Nothing is stored of the kalshi market with ticker KXDEMODAY-26JUL20-T99: see market/list for what is',
  slug_not_found: 'No event and no market with the slug "no-such-slug" is stored',
}

/** One example per code, for the document's components. */
export const problemExamples: Record<string, object> = Object.fromEntries(
  Object.entries(FAILURES).map(([code, { status, title }]) => {
    const type = `urn:backbook:problem:${code}`
    const detail = DETAILS[code as ProblemCode] ?? `${title}.`
    const value = { type, title, status, detail, code, request_id: 'e3edd0d4-9d7a-4d68-bb08-8ec47acd1031' }
    return [code, { summary: title, value }]
  }),
)
