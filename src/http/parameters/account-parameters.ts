// The parameters that several management endpoints take.

import { t } from 'elysia'
import { isName, isNewUserId } from '../../accounts/keys/users.ts'
import { parameter, patternText } from './parameter.ts'

export const NAME_ACCEPTED = '1 to 200 characters without control characters'
export const NEW_USER_ACCEPTED = `${NAME_ACCEPTED}; not "." or "..", which cannot be used in the path /user/{user_id}`

export const nameText = (description: string, example: string) =>
  parameter({ accepts: NAME_ACCEPTED, matches: isName, description, example })
export const userId = nameText('The user: an id of your choosing', 'ann')
/** A user id for endpoints that may create the user. */
export const newUserId = (description: string) =>
  parameter({ accepts: NEW_USER_ACCEPTED, matches: isNewUserId, description, example: 'ann' })

/** For endpoints that take no query parameters. */
export const noQuery = t.Object({}, { additionalProperties: false })

/** For endpoints that only take a user. */
export const userQuery = t.Object({ user_id: userId }, { additionalProperties: false })
export const userPath = t.Object({ user_id: userId })

export const keyPath = t.Object({
  key_id: patternText(/^[A-Za-z0-9_-]{1,64}$/, 'the id of a key, as in the list of keys', {
    description: 'The id of the key',
    example: 'key_5f0c1e7a9b2d4c6e8f013579',
  }),
})
