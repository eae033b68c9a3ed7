// POST /keys: makes an API key for a user. A management endpoint: no Bearer key, see http/management-access.ts.

import { Elysia, t } from 'elysia'
import type { CreatedKey, NewKey } from '../accounts/keys.ts'
import { management } from '../http/management.ts'
import type { ClientAddress, ManagementAccess } from '../http/management-access.ts'
import { parameter } from '../http/parameter.ts'
import { type FieldError, parametersInvalid } from '../http/request-failure.ts'

export const NAME_ACCEPTED = '1 to 200 characters, none of them a control character'
/** Names of keys and ids of users. */
export const isName = (text: string) => /^[^\p{Cc}]{1,200}$/u.test(text) && text.isWellFormed()

const name = (description: string) => t.Optional(parameter({ accepts: NAME_ACCEPTED, matches: isName, description }))
const keyFields = t.Object(
  { user_id: name('The user that the key belongs to'), name: name('What the key is for') },
  { additionalProperties: false },
)
type KeyFields = typeof keyFields.static

type Dependencies = {
  accounts: { createKey(key: NewKey): Promise<CreatedKey> }
  access: ManagementAccess
  clientAddress: ClientAddress
}

export const keyRoutes = ({ accounts, access, clientAddress }: Dependencies) =>
  new Elysia().use(management(access, clientAddress)).post(
    '/keys',
    async ({ query, body }) => {
      const { userId, name } = planKey(query, body ?? {})
      const created = await accounts.createKey({ userId, name })
      return {
        success: true,
        data: {
          key_id: created.keyId,
          api_key: created.secret,
          user_id: created.userId,
          name: created.name,
          created_at: created.createdAt,
        },
      }
    },
    {
      query: keyFields,
      body: t.Optional(keyFields),
      detail: {
        summary: 'Make an API key',
        description: 'user_id and name as JSON body or as query. The secret is shown once.',
        tags: ['keys'],
      },
    },
  )

/** Each field from the query or from the body, not from both. */
function planKey(query: KeyFields, body: KeyFields): { userId: string; name: string } {
  const errors: FieldError[] = []
  const take = (field: keyof KeyFields) => {
    const value = body[field] ?? query[field]
    if (value === undefined) errors.push({ field, message: `is required: accepted is ${NAME_ACCEPTED}` })
    if (body[field] !== undefined && query[field] !== undefined) {
      errors.push({ field, message: 'was given in the query and in the body: accepted is one of them' })
    }
    return value ?? ''
  }
  const key = { userId: take('user_id'), name: take('name') }
  if (errors.length > 0) throw parametersInvalid(errors)
  return key
}
