// /keys: create, list, rotate and revoke API keys. Management endpoints take no Bearer key: see management-access.ts.

import { Elysia, t } from 'elysia'
import type { CreatedKey, KeyEntry, OwnKey } from '../accounts/keys/keys.ts'
import type { Accounts } from '../accounts/open-accounts.ts'
import { createdKeyAnswer, keyListAnswer, keyNameAnswer, lastUsedAnswer, revokedKeyAnswer } from '../answers/keys.ts'
import { keyPath, noQuery, userId, userQuery } from '../http/parameters/account-parameters.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { quoted, RequestFailure } from '../http/server/request-failure.ts'
import { BODY_FAILURES, type Operation, operation } from '../openapi/operation.ts'
import { newKeyFields, planKey } from './new-key.ts'

export const KEYS_LIMIT = { default: 1_000, max: 10_000 }

const listQuery = t.Object(
  {
    user_id: userId,
    offset: t.Optional(
      wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }, { unlessGiven: 0, description: 'Keys to skip' }),
    ),
    limit: t.Optional(
      wholeNumber({ min: 1, max: KEYS_LIMIT.max }, { unlessGiven: KEYS_LIMIT.default, description: 'Keys, at most' }),
    ),
  },
  { additionalProperties: false },
)

const about = (rest: Omit<Operation, 'tag' | 'access'>) => operation({ ...rest, tag: 'keys', access: 'management' })

const ABOUT = {
  create: about({
    id: 'createKey',
    summary: 'Make an API key',
    description:
      'Give each field in the JSON body or in the query; `user_id` and `name` are required. The secret is shown once.',
    answer: () => ({ description: 'The key with its secret', schema: createdKeyAnswer }),
    failures: BODY_FAILURES,
  }),
  list: about({
    id: 'listKeys',
    summary: 'The keys of a user, revoked ones too',
    answer: () => ({ description: 'The keys', schema: keyListAnswer }),
  }),
  revoke: about({
    id: 'revokeKey',
    summary: 'Revoke a key',
    description: 'It stops working within a second, and stays in the list.',
    answer: () => ({ description: 'It is revoked', schema: revokedKeyAnswer }),
    failures: ['key_not_found'],
  }),
  rotate: about({
    id: 'rotateKey',
    summary: 'Give a key a new secret',
    description: 'Everything else of the key stays the same. The old secret stops working within a second.',
    answer: () => ({
      description: 'The key with its new secret',
      schema: createdKeyAnswer,
    }),
    failures: ['key_not_found'],
  }),
  lastUsed: about({
    id: 'keyLastUsed',
    summary: 'When a key was last used',
    answer: () => ({ description: 'The time', schema: lastUsedAnswer }),
    failures: ['key_not_found'],
  }),
  name: about({
    id: 'keyName',
    summary: 'The name of a key',
    answer: () => ({ description: 'The name', schema: keyNameAnswer }),
    failures: ['key_not_found'],
  }),
}

type Dependencies = {
  accounts: Pick<Accounts, 'createKey' | 'listKeys' | 'readKey' | 'rotateKey' | 'revokeKey'>
  nowMs: () => number
}

export const keyRoutes = ({ accounts, nowMs }: Dependencies) =>
  new Elysia()
    .post('/keys', async ({ query, body }) => shown(await accounts.createKey(planKey(query, body ?? {}, nowMs()))), {
      query: newKeyFields,
      body: t.Optional(newKeyFields),
      detail: ABOUT.create,
    })
    .get(
      '/keys',
      async ({ query: { user_id, offset, limit } }) => {
        const page = { userId: user_id, offset: Number(offset ?? 0), limit: Number(limit ?? KEYS_LIMIT.default) }
        const { keys, total } = await accounts.listKeys(page)
        return { user_id, api_keys: keys.map(listed), total }
      },
      { query: listQuery, detail: ABOUT.list },
    )
    .delete(
      '/keys/:key_id',
      async ({ params, query }) => {
        const key = { keyId: params.key_id, userId: query.user_id }
        if (!(await accounts.revokeKey(key))) throw noSuchKey(key, 'a key that was not revoked')
        return { success: true, message: `Key ${key.keyId} is revoked: it stops working within a second` }
      },
      { params: keyPath, query: userQuery, detail: ABOUT.revoke },
    )
    .post(
      '/keys/:key_id/rotate',
      async ({ params, query }) => {
        const key = { keyId: params.key_id, userId: query.user_id }
        const rotated = await accounts.rotateKey(key)
        if (rotated === undefined) throw noSuchKey(key, 'an active key')
        return shown(rotated)
      },
      { params: keyPath, query: userQuery, detail: ABOUT.rotate },
    )
    .get(
      '/keys/:key_id/last-used',
      async ({ params: { key_id } }) => ({ key_id, last_used_at: (await existing(accounts, key_id)).lastUsedAt }),
      { params: keyPath, query: noQuery, detail: ABOUT.lastUsed },
    )
    .get(
      '/keys/:key_id/name',
      async ({ params: { key_id } }) => ({ key_id, name: (await existing(accounts, key_id)).name }),
      { params: keyPath, query: noQuery, detail: ABOUT.name },
    )

const shown = (key: CreatedKey) => ({
  success: true,
  data: {
    key_id: key.keyId,
    api_key: key.secret,
    user_id: key.userId,
    name: key.name,
    created_at: key.createdAt,
    ...terms(key),
  },
})

const listed = (key: KeyEntry) => ({
  id: key.keyId,
  name: key.name,
  status: key.status,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  ...terms(key),
})

/** Optional fields, present only if the key was created with them. */
const terms = ({ expiresAt, scopes }: Pick<KeyEntry, 'expiresAt' | 'scopes'>) => ({
  ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  ...(scopes === null ? {} : { scopes }),
})

async function existing(accounts: Pick<Accounts, 'readKey'>, keyId: string): Promise<KeyEntry> {
  const key = await accounts.readKey(keyId)
  if (key === undefined) throw new RequestFailure('key_not_found', `There is no key ${quoted(keyId)}`)
  return key
}

function noSuchKey({ userId, keyId }: OwnKey, accepted: string): RequestFailure {
  const message = `User ${quoted(userId)} has no key ${quoted(keyId)}: give the id of ${accepted} of this user`
  return new RequestFailure('key_not_found', message)
}
