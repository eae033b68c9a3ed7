// The fields of a new key in POST /keys, from the query or from the body.

import { t } from 'elysia'
import { VENUES, type Venue } from '../../storage/venue.ts'
import type { NewKey } from '../accounts/keys/keys.ts'
import { NAME_ACCEPTED, NEW_USER_ACCEPTED, nameText, newUserId } from '../http/parameters/account-parameters.ts'
import { isZonedTime } from '../http/parameters/moment.ts'
import { mustBe, parameter } from '../http/parameters/parameter.ts'
import { type FieldError, parametersInvalid } from '../http/server/request-failure.ts'

export const EXPIRY_ACCEPTED = 'a future time with its zone, such as 2027-01-31T00:00:00Z, before the year 10000 in UTC'
export const SCOPES_ACCEPTED = `${VENUES.join(' or ')}, or both with a comma between`

export const isScopes = (text: string) => new Set(text.split(',')).isSubsetOf(new Set(VENUES))

export const newKeyFields = t.Object(
  {
    user_id: t.Optional(newUserId('The user that the key belongs to')),
    name: t.Optional(nameText('What the key is for', 'laptop')),
    expires_at: t.Optional(
      parameter({
        accepts: EXPIRY_ACCEPTED,
        matches: isZonedTime,
        description: 'When the key expires; never by default',
      }),
    ),
    scopes: t.Optional(
      parameter({
        accepts: SCOPES_ACCEPTED,
        matches: isScopes,
        isList: true,
        description: 'The venues that the key may read; all by default. In a body it may be a list',
      }),
    ),
  },
  { additionalProperties: false },
)
/** The fields of a request's query or body, with values in the form that the schema accepts. */
type Fields = { [name in keyof typeof newKeyFields.static]?: string | string[] }

/** Reads each field from the query or from the body. Throws RequestFailure if a required field is missing, if a field
 *  is in both, or if the key would already have expired. */
export function planKey(query: Fields, body: Fields, nowMs: number): NewKey {
  const errors: FieldError[] = []
  const take = (field: keyof Fields, required?: string): string | undefined => {
    const value = body[field] ?? query[field]
    if (value === undefined && required) errors.push({ field, message: `is required and must be ${required}` })
    if (body[field] !== undefined && query[field] !== undefined) {
      errors.push({ field, message: 'must be given in the query or in the body, not in both' })
    }
    return value?.toString()
  }
  const [userId, name] = [take('user_id', NEW_USER_ACCEPTED), take('name', NAME_ACCEPTED)]
  const [expiresAt, scopes] = [take('expires_at'), take('scopes')]
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs) {
    errors.push({ field: 'expires_at', message: mustBe(EXPIRY_ACCEPTED, expiresAt) })
  }
  if (errors.length > 0 || userId === undefined || name === undefined) throw parametersInvalid(errors)
  return { userId, name, expiresAt: expiresAt === undefined ? null : utc(expiresAt), scopes: scopesOf(scopes) }
}

const utc = (time: string) => new Date(time).toISOString()

/** Returns the venues of the list. Returns null (no restriction) if there is no list, or if it has all venues. */
export function scopesOf(text: string | undefined): Venue[] | null {
  const scopes = VENUES.filter((venue) => text?.split(',').includes(venue))
  return text === undefined || scopes.length === VENUES.length ? null : scopes
}
