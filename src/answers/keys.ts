// Answers of the key endpoints.

import { Type } from '@sinclair/typebox'
import { VENUES } from '../../storage/venue.ts'
import { choice, count, flag, instant, named, orNull, text } from '../openapi/field.ts'

const KEY_ID = 'key_5f0c1e7a9b2d4c6e8f013579'
const keyId = text('The id of the key; it is not secret', KEY_ID)
const name = text('What the key is for', 'laptop')
const userId = text('The user that the key belongs to', 'ann')
const createdAt = instant('When it was created')
const lastUsedAt = orNull(instant('When it was last used; null if never', '2026-11-21T11:02:41.000Z'))

const terms = {
  expires_at: Type.Optional(instant('When it expires; absent if never', '2027-01-31T00:00:00.000Z')),
  scopes: Type.Optional(
    Type.Array(choice(VENUES, 'A venue'), { description: 'The venues that it may read; absent if all' }),
  ),
}

export const createdKeyAnswer = named('CreatedKey', 'A key with its secret, which is shown only here', {
  success: flag('Always true', true),
  data: Type.Object({
    key_id: keyId,
    api_key: text('The secret, to be sent after "Bearer". The server stores only its SHA-256', 'bb_IXWSBs…Kh24I'),
    user_id: userId,
    name,
    created_at: createdAt,
    ...terms,
  }),
})

const keyEntry = named('Key', 'A key without its secret', {
  id: keyId,
  name,
  status: choice(['active', 'expired', 'revoked'], 'Its state'),
  created_at: createdAt,
  last_used_at: lastUsedAt,
  ...terms,
})

export const keyListAnswer = named('KeyList', 'The keys of a user', {
  user_id: userId,
  api_keys: Type.Array(keyEntry, { description: 'The keys of this page' }),
  total: count('All keys of the user, over all pages', 1),
})

export const revokedKeyAnswer = named('RevokedKey', 'The key is revoked', {
  success: flag('Always true', true),
  message: text('A sentence for people', `Key ${KEY_ID} is revoked: it stops working within a second`),
})

export const lastUsedAnswer = named('KeyLastUsed', 'When a key was last used', {
  key_id: keyId,
  last_used_at: lastUsedAt,
})

export const keyNameAnswer = named('KeyName', 'The name of a key', { key_id: keyId, name })
