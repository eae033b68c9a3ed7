// `keys create`, `rotate` and `revoke` are killed. A printed secret works. After exit code 0 the change is complete,
// otherwise it is complete or absent. Running the command again completes it.

import type { Authentication } from '../../../../src/accounts/keys/key-directory.ts'
import type { KeyEntry } from '../../../../src/accounts/keys/keys.ts'
import { type Accounts, openAccounts } from '../../../../src/accounts/open-accounts.ts'
import { loadPlans } from '../../../../src/accounts/usage/plans-file.ts'
import type { Round } from '../../topic.ts'
import { type KilledRun, type KillMoment, runAndKill, runProgram } from './killed-program.ts'
import type { Served } from './killed-server.ts'

/** All options that a key can have. */
const TERMS = ['--plan', 'pro', '--expires', '2100-01-01T00:00:00Z', '--scopes', 'kalshi']
const NAME = 'desk'

type Victim = {
  accounts: () => Promise<Accounts>
  words: (...words: string[]) => string[]
  kill: (words: string[]) => Promise<KilledRun>
  user: string
}

export async function killedKeys({ random, tally, isSmoke }: Round, served: Served): Promise<void> {
  const { data, accountsUrl, plansFile } = served
  const user = `user of ${random.uint32()}`
  const settings = ['--json', '--data', data, '--accounts-url', accountsUrl, '--plans-file', plansFile]
  const isFile = accountsUrl.startsWith('sqlite://')
  const behind = { path: `${accountsUrl.slice('sqlite://'.length)}-wal`, changesMax: isSmoke ? 1 : 3 }
  const moments: KillMoment[] = isFile ? ['any', 'output', behind, behind] : ['any', 'any', 'output']
  const victim: Victim = {
    accounts: () => openAccounts(accountsUrl, { plans: loadPlans(plansFile) }),
    words: (...words) => ['keys', ...words, '--user', user, ...settings],
    async kill(words) {
      const run = await runAndKill(words, random, isSmoke ? behind : random.pick(moments))
      tally.add(run.isKilled ? 'kills of keys' : 'ends of keys before the kill')
      if (run.isKilled && run.out !== '') tally.add('kills of keys when they had said it')
      return run
    },
    user,
  }
  const secret = await create(victim)
  const next = await rotate(victim, secret)
  await revoke(victim, next)
}

/** Returns whether a result must hold: the process printed it or ended with 0. */
const isAcknowledged = ({ isKilled, out }: KilledRun) => !isKilled || out !== ''
const secretIn = (out: string) => (JSON.parse(out) as { api_key: string }).api_key

/** Kills `keys create`, and repeats it if no secret was printed. Returns the secret of the key that exists then. */
async function create({ accounts, words, kill, user }: Victim): Promise<string> {
  const command = words('create', '--name', NAME, ...TERMS)
  const run = await kill(command)
  const { keys, plan, found } = await readAccount(accounts, user, run.out === '' ? undefined : secretIn(run.out))
  if (isAcknowledged(run)) {
    if (!found?.ok || keys.length !== 1)
      throw new Error(`a key that was printed does not work: ${JSON.stringify(keys)}`)
  }
  if (keys.length > 1) throw new Error(`one key was made, ${keys.length} are there`)
  if (plan !== (keys.length === 1 ? 'pro' : 'free')) throw new Error(`with ${keys.length} keys the plan is ${plan}`)
  for (const key of keys) assertWhole(key)
  const secret = run.out === '' ? secretIn(await runProgram(command)) : secretIn(run.out)
  const again = await readAccount(accounts, user, secret)
  if (!again.found?.ok) throw new Error('a key that was made again does not work')
  for (const key of again.keys) assertWhole(key)
  return secret
}

/** Rotates the key, and returns the new secret. */
async function rotate({ accounts, words, kill, user }: Victim, before: string): Promise<string> {
  const keyId = await idOf(accounts, before)
  const command = words('rotate', keyId)
  const run = await kill(command)
  const { found, keys } = await readAccount(accounts, user, before)
  const key = keys.find((each) => each.keyId === keyId)
  if (key?.status !== 'active') throw new Error(`a key that was rotated is ${key?.status}`)
  assertWhole(key)
  // The old secret still works, or is known as revoked. It is never unknown.
  if (!found!.ok && found!.reason !== 'revoked') throw new Error(`a rotated secret is ${found!.reason}`)
  if (isAcknowledged(run)) {
    if (found!.ok) throw new Error('the old secret works after a rotation that was acknowledged')
    const after = secretIn(run.out)
    if (!(await readAccount(accounts, user, after)).found?.ok)
      throw new Error('a new secret that was printed does not work')
    return after
  }
  const after = secretIn(await runProgram(command))
  if (!(await readAccount(accounts, user, after)).found?.ok)
    throw new Error('a rotation that was repeated did not help')
  return after
}

async function revoke({ accounts, words, kill, user }: Victim, secret: string): Promise<void> {
  const keyId = await idOf(accounts, secret)
  const run = await kill(words('revoke', keyId))
  const { found, keys } = await readAccount(accounts, user, secret)
  const { status } = keys.find((each) => each.keyId === keyId)!
  if (found!.ok !== (status === 'active'))
    throw new Error(`a key that is ${status} ${found!.ok ? 'works' : 'is refused'}`)
  if (isAcknowledged(run) && status !== 'revoked') throw new Error('a key works that was revoked')
  if (status === 'active') await runProgram(words('revoke', keyId))
  const after = await readAccount(accounts, user, secret)
  if (after.found!.ok || after.found!.reason !== 'revoked') throw new Error('a key works that was revoked again')
}

type AccountState = { keys: KeyEntry[]; plan: string; found: Authentication | undefined }

/** Reads the accounts as the next process that opens them sees them. */
async function readAccount(open: Victim['accounts'], user: string, secret: string | undefined): Promise<AccountState> {
  const accounts = await open()
  try {
    const { keys } = await accounts.listKeys({ userId: user, offset: 0, limit: 9 })
    const { plan } = await accounts.usage(user)
    const found = secret === undefined ? undefined : await accounts.authenticate(secret)
    return { keys, plan: plan.id, found }
  } finally {
    await accounts.close()
  }
}

async function idOf(open: Victim['accounts'], secret: string): Promise<string> {
  const accounts = await open()
  const found = await accounts.authenticate(secret)
  await accounts.close()
  if (!found.ok) throw new Error(`a key is ${found.reason}`)
  return found.key.keyId
}

function assertWhole({ keyId, name, expiresAt, scopes, createdAt }: KeyEntry): void {
  const found = JSON.stringify([name, expiresAt, scopes])
  const expected = JSON.stringify([NAME, '2100-01-01T00:00:00.000Z', ['kalshi']])
  if (found !== expected || Number.isNaN(Date.parse(createdAt)))
    throw new Error(`${keyId} is ${found}, not ${expected}`)
}
