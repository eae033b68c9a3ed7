// The key of a request: read from its Authorization header, and looked up.

import type { ActiveKey, Authentication } from '../../accounts/keys/key-directory.ts'
import { RequestFailure, type RequestFailureCode } from '../server/request-failure.ts'

export type Authenticate = (secret: string) => Authentication | Promise<Authentication>

const BEARER = /^Bearer +([^\s]+) *$/i
/** What a client's library sends. */
const PLAIN = 'Bearer '

/** Throws 401. At once for a key that is known; else it rejects, with whatever the accounts fail with. */
export function keyOf(header: string | null, authenticate: Authenticate): ActiveKey | Promise<ActiveKey> {
  const answer = authenticate(secretOf(header))
  return answer instanceof Promise ? answer.then(accepted) : accepted(answer)
}

function secretOf(header: string | null): string {
  if (header === null) {
    throw refused('key_missing', 'An API key is required: accepted is the header "Authorization: Bearer <API key>"')
  }
  const isPlain = header.startsWith(PLAIN) && !header.includes(' ', PLAIN.length)
  const secret = isPlain ? header.slice(PLAIN.length) : BEARER.exec(header)?.[1]
  if (secret === undefined) {
    throw refused('key_missing', 'The Authorization header holds no key: accepted is "Bearer <API key>"')
  }
  return secret
}

function accepted(answer: Authentication): ActiveKey {
  if (answer.ok) return answer.key
  throw REFUSALS[answer.reason]()
}

const REFUSALS = {
  unknown: () => refused('key_unknown', 'The API key is not known here: accepted is a key that this server created'),
  revoked: () => refused('key_revoked', 'The API key was revoked: accepted is an active key'),
  expired: () => refused('key_expired', 'The API key has expired: accepted is an active key'),
}

function refused(code: RequestFailureCode, message: string): RequestFailure {
  const error = code === 'key_missing' ? '' : ', error="invalid_token"'
  return new RequestFailure(code, message, { headers: { 'www-authenticate': `Bearer realm="backbook"${error}` } })
}
