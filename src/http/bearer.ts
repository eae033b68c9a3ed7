// The Bearer check of the market endpoints. It runs before the parameters are looked at.

import { Elysia } from 'elysia'
import type { ActiveKey, Authentication } from '../accounts/key-directory.ts'
import { RequestFailure } from './request-failure.ts'

export type Authenticate = (secret: string) => Authentication | Promise<Authentication>

/** Gives the handlers of the group it is used in `apiKey`. */
export const bearer = (authenticate: Authenticate) =>
  new Elysia({ name: 'bearer', seed: authenticate }).derive({ as: 'scoped' }, async ({ request }) => ({
    apiKey: await activeKey(request.headers.get('authorization'), authenticate),
  }))

async function activeKey(header: string | null, authenticate: Authenticate): Promise<ActiveKey> {
  if (header === null) {
    throw refused('key_missing', 'An API key is required: accepted is the header "Authorization: Bearer <API key>"')
  }
  const secret = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
  if (secret === undefined) {
    throw refused('key_missing', 'The Authorization header holds no key: accepted is "Bearer <API key>"')
  }
  const answer = await Promise.resolve(authenticate(secret)).catch((cause: unknown) => {
    throw new RequestFailure('accounts_unavailable', 'The accounts cannot be read now: try again later', { cause })
  })
  if (answer.ok) return answer.key
  if (answer.reason === 'revoked') throw refused('key_revoked', 'The API key was revoked: accepted is an active key')
  throw refused('key_unknown', 'The API key is not known here: accepted is a key that this server created')
}

function refused(code: 'key_missing' | 'key_unknown' | 'key_revoked', message: string): RequestFailure {
  const error = code === 'key_missing' ? '' : ', error="invalid_token"'
  return new RequestFailure(code, message, { headers: { 'www-authenticate': `Bearer realm="backbook"${error}` } })
}
