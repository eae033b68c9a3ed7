// `keys`: creates, lists, rotates and revokes API keys. A running server sees the change within a second.

import { type Command, InvalidArgumentError } from 'commander'
import type { CreatedKey, KeyEntry, KeyTerms } from '../../accounts/keys/keys.ts'
import { isZonedTime } from '../../http/parameters/moment.ts'
import { EXPIRY_ACCEPTED, isScopes, SCOPES_ACCEPTED, scopesOf } from '../../routes/new-key.ts'
import { addSettings, type CommandOptions } from '../settings.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'
import {
  allowanceOf,
  assertPlan,
  assertUser,
  configuredPlans,
  operatorsPlan,
  readName,
  readNewUser,
  withAccounts,
  withExistingAccounts,
} from './accounts.ts'

type Common = CommandOptions & { json?: true }
type CreateOptions = Common & { user: string; name: string; plan?: string; expires?: string; scopes?: string }
type UserOptions = Common & { user: string }

const LISTED_MAX = 1_000_000

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('manage API keys')
  const command = (nameAndArguments: string, description: string) =>
    addSettings(keys.command(nameAndArguments), ['data', 'accounts_url', 'plans_file'])
      .description(description)
      .option('--json', 'print JSON, on one line')
  const ownCommand = (nameAndArguments: string, description: string) =>
    command(nameAndArguments, description).requiredOption('--user <user>', 'owner of the key', readName)

  command('create', 'make an API key and print its secret, once')
    .requiredOption('--user <user>', 'owner of the key; created if it does not exist', readNewUser)
    .requiredOption('--name <name>', 'name of the key', readName)
    .option('--plan <plan>', 'put the user on this plan (default: pro for a new user, else unchanged)')
    .option('--expires <time>', `end of the key: ${EXPIRY_ACCEPTED} (default: never)`, readExpiry)
    .option('--scopes <venues>', `venues that the key may read: ${SCOPES_ACCEPTED} (default: both)`, readScopes)
    .action(create)
  command('list', 'list the keys of a user, revoked ones included')
    .requiredOption('--user <user>', 'owner of the keys', readName)
    .action(list)
  command('show <key_id>', 'show the name, the user and the last use of a key').action(show)
  ownCommand('rotate <key_id>', 'replace the secret of a key; the old one stops working').action(rotate)
  ownCommand('revoke <key_id>', 'end a key for good').action(revoke)
  addExamples(keys, [
    'backbook keys create --user alice --name laptop',
    'backbook keys create --user bob --name desk --plan pro --expires 2027-01-01T00:00:00Z --scopes kalshi',
    'backbook keys list --user alice --json | jq .api_keys',
  ])
}

async function create({ user, name, plan, expires, scopes, json, ...options }: CreateOptions): Promise<void> {
  if (plan !== undefined) assertPlan(configuredPlans(options), plan)
  await withAccounts(options, async (accounts) => {
    const terms = { expiresAt: expires ?? null, scopes: scopesOf(scopes) }
    const isNewUser = !(await accounts.hasUser(user))
    const firstPlan = operatorsPlan(accounts.plans)
    printSecret(await accounts.createKey({ userId: user, name, plan, firstPlan, ...terms }), json)
    if (json) return
    const currentPlan = (await accounts.usage(user)).plan
    const who = isNewUser ? `User ${user} is new,` : `User ${user} is`
    terminal().stdout.write(`${who} on plan ${currentPlan.id}: ${allowanceOf(currentPlan)}.\n`)
  })
}

const list = ({ user, json, ...options }: UserOptions) =>
  withExistingAccounts(options, async (accounts) => {
    await assertUser(accounts, user)
    const { keys } = await accounts.listKeys({ userId: user, offset: 0, limit: LISTED_MAX })
    if (json) printJson({ user_id: user, api_keys: keys.map(entryJson), total: keys.length })
    else terminal().stdout.write(keysTable(keys))
  })

const show = (keyId: string, { json, ...options }: Common) =>
  withExistingAccounts(options, async (accounts) => {
    const key = await accounts.readKey(keyId)
    if (key === undefined) throw new CommandError(`there is no key ${JSON.stringify(keyId)}`, 1)
    if (json) printJson({ user_id: key.userId, ...entryJson(key) })
    else terminal().stdout.write(keysTable([key]))
  })

const rotate = (keyId: string, { user, json, ...options }: UserOptions) =>
  withExistingAccounts(options, async (accounts) => {
    const rotated = await accounts.rotateKey({ userId: user, keyId })
    if (rotated === undefined) throw noSuchKey(user, keyId)
    printSecret(rotated, json)
  })

const revoke = (keyId: string, { user, json, ...options }: UserOptions) =>
  withExistingAccounts(options, async (accounts) => {
    if (!(await accounts.revokeKey({ userId: user, keyId }))) throw noSuchKey(user, keyId)
    if (json) printJson({ key_id: keyId, status: 'revoked' })
    else terminal().stdout.write(`Key ${keyId} is revoked. It stops working within a second.\n`)
  })

const noSuchKey = (user: string, keyId: string) =>
  new CommandError(
    `user ${JSON.stringify(user)} has no active key ${JSON.stringify(keyId)}: "keys list" shows the keys`,
    1,
  )

function printSecret(key: CreatedKey, json: true | undefined): void {
  const { keyId, secret, userId, name, createdAt } = key
  if (json) {
    printJson({ key_id: keyId, api_key: secret, user_id: userId, name, created_at: createdAt, ...termsJson(key) })
  } else {
    const note = `Key ${keyId} of user ${userId}, named ${name}. The line above is its secret. It is not shown again.`
    terminal().stdout.write(`${secret}\n\n${note}\n`)
  }
}

const entryJson = (key: KeyEntry) => ({
  id: key.keyId,
  name: key.name,
  status: key.status,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  ...termsJson(key),
})

/** `expires_at` is null if the key never expires, `scopes` is null for all venues. */
const termsJson = ({ expiresAt, scopes }: KeyTerms) => ({ expires_at: expiresAt, scopes })

const keysTable = (keys: readonly KeyEntry[]) =>
  table(
    ['KEY', 'USER', 'NAME', 'STATUS', 'CREATED', 'LAST USED', 'EXPIRES', 'SCOPES'],
    keys.map(({ keyId, userId, name, status, createdAt, lastUsedAt, expiresAt, scopes }) => [
      ...[keyId, userId, name, status, createdAt, lastUsedAt, expiresAt],
      scopes?.join(',') ?? 'all',
    ]),
  )

function readExpiry(text: string): string {
  if (isZonedTime(text) && Date.parse(text) > Date.now()) return new Date(text).toISOString()
  throw new InvalidArgumentError(`must be ${EXPIRY_ACCEPTED}`)
}

/** Returns the text, not the scopes: commander turns null, which means all venues, into ''. */
function readScopes(text: string): string {
  if (isScopes(text)) return text
  throw new InvalidArgumentError(`must be ${SCOPES_ACCEPTED}`)
}
