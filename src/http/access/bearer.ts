// Finds the API key of a request: reads the Authorization header and looks the key up.

import type { ActiveKey, Authentication } from '../../accounts/keys/key-directory.ts'
import { RequestFailure, type RequestFailureCode } from '../server/request-failure.ts'

export type Authenticate = (secret: string) => Authentication | Promise<Authentication>

const BEARER = /^Bearer +([^\s]+) *$/i
/** The exact form that client libraries send; matched without a regular expression. */
const PLAIN = 'Bearer '

/** Returns the key directly if it is cached, else a promise. Throws 401. The promise may also reject with the errors of
 *  the accounts. */
export function authenticatedKey(header: string | null, authenticate: Authenticate): ActiveKey | Promise<ActiveKey> {
  const answer = authenticate(secretOf(header))
  return answer instanceof Promise ? answer.then(accepted) : accepted(answer)
}

function secretOf(header: string | null): string {
  if (header === null) {
    throw refused('key_missing', 'An API key is required: send the header "Authorization: Bearer <API key>"')
  }
  const isPlain = header.startsWith(PLAIN) && !header.includes(' ', PLAIN.length)
  const secret = isPlain ? header.slice(PLAIN.length) : BEARER.exec(header)?.[1]
  if (secret === undefined) {
    throw refused('key_missing', 'The header Authorization must be "Bearer <API key>"')
  }
  return secret
}

function accepted(answer: Authentication): ActiveKey {
  if (answer.ok) return answer.key
  throw REFUSALS[answer.reason]()
}

const REFUSALS = {
  unknown: () => refused('key_unknown', 'This server does not know the API key'),
  revoked: () => refused('key_revoked', 'The API key was revoked'),
  expired: () => refused('key_expired', 'The API key has expired'),
}

function refused(code: RequestFailureCode, message: string): RequestFailure {
  const error = code === 'key_missing' ? '' : ', error="invalid_token"'
  return new RequestFailure(code, message, { headers: { 'www-authenticate': `Bearer realm="backbook"${error}` } })
}
