// Failures of requests, as opposed to failures of data: a closed set of codes, each with its status and title.

/** The title is always the same; the detail depends on the request. */
export const REQUEST_FAILURES = {
  parameters_invalid: { status: 400, title: 'A parameter is not valid' },
  range_too_long: { status: 400, title: 'The range is too long' },
  asset_not_stored: { status: 404, title: 'The market has no such token' },
  date_not_stored: { status: 404, title: 'Nothing is stored of the date' },
  range_not_satisfiable: { status: 416, title: 'The file has no such bytes' },
  date_too_early: { status: 400, title: 'The date is earlier than the data offered here' },
  cursor_invalid: { status: 400, title: 'The cursor does not belong to this query' },
  body_invalid: { status: 400, title: 'The body cannot be read' },
  key_missing: { status: 401, title: 'An API key is required' },
  key_unknown: { status: 401, title: 'The API key is not known' },
  key_revoked: { status: 401, title: 'The API key was revoked' },
  key_expired: { status: 401, title: 'The API key has expired' },
  ticket_invalid: { status: 401, title: 'The ticket is not valid' },
  scope_missing: { status: 403, title: 'The API key is not for this venue' },
  quota_exceeded: { status: 429, title: "The month's calls are used up" },
  rate_limited: { status: 429, title: 'Calls come too fast' },
  connections_exceeded: { status: 429, title: 'Too many connections are open' },
  upgrade_required: { status: 426, title: 'The path takes WebSocket connections' },
  key_not_found: { status: 404, title: 'The user has no such key' },
  plan_not_sold: { status: 400, title: 'The tier cannot be bought' },
  subscription_exists: { status: 409, title: 'There is a subscription already' },
  subscription_not_found: { status: 404, title: 'There is no subscription' },
  webhook_signature_invalid: { status: 400, title: 'The signature of the webhook is not valid' },
  billing_not_configured: { status: 503, title: 'Billing is not set up on this server' },
  billing_unavailable: { status: 503, title: 'The payment service does not answer' },
  admin_token_missing: { status: 401, title: 'The admin token is required' },
  admin_token_wrong: { status: 403, title: 'The admin token is wrong' },
  monitoring_token_missing: { status: 401, title: 'The monitoring token is required' },
  monitoring_token_wrong: { status: 403, title: 'The monitoring token is wrong' },
  management_closed: { status: 403, title: 'Management is open to this machine only' },
  route_unknown: { status: 404, title: 'There is nothing at this path' },
  event_not_found: { status: 404, title: 'The event is not known' },
  slug_not_found: { status: 404, title: 'The slug is not known' },
  method_not_allowed: { status: 405, title: 'The path does not take this method' },
  url_too_long: { status: 414, title: 'The address is too long' },
  expectation_unknown: { status: 417, title: 'The expectation cannot be met' },
  body_too_large: { status: 413, title: 'The body is too large' },
  body_type_unknown: { status: 415, title: 'The type of the body is not supported' },
  internal: { status: 500, title: 'The server failed' },
  accounts_unavailable: { status: 503, title: 'The accounts cannot be read' },
} as const satisfies Record<string, { status: number; title: string }>

export type RequestFailureCode = keyof typeof REQUEST_FAILURES

/** The error of one parameter. `message` follows the parameter's name: `must be …, got …`. */
export type FieldError = { field: string; message: string }

/** A refused request. `message` is one plain sentence for the client. */
export class RequestFailure extends Error {
  readonly code: RequestFailureCode
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: RequestFailureCode,
    message: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'RequestFailure'
    this.code = code
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
  }
}

/** Refuses parameters. The detail is the first error: most requests have only one. */
export function parametersInvalid(
  errors: readonly FieldError[],
  code: RequestFailureCode = 'parameters_invalid',
): RequestFailure {
  const [first] = errors
  const detail = first ? `${first.field} ${first.message}` : 'A parameter is not valid'
  return new RequestFailure(code, detail, { errors })
}

/** Returns a value as JSON for a message, shortened if long. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  return cut(JSON.stringify(value) ?? String(value))
}

const cut = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
