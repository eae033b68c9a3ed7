// `compact`, `backup`, `restore` and `export` are killed. The data is unchanged, and their output is complete or
// absent. The next run succeeds, and removes what the killed run left in the data folder.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../../src/accounts/open-accounts.ts'
import { checkBackup } from '../../../../src/backup/restore-backup.ts'
import { storeFile } from '../../../../storage/lmdb/environment.ts'
import { hasStore } from '../../../../storage/open-store.ts'
import type { Round } from '../../topic.ts'
import { type Captures, copyData, leftovers } from './crashing-captures.ts'
import { runAndKill, runProgram } from './killed-program.ts'
import { isSame, type StoreState, stateOf } from './store-state.ts'

export type Upkeep = {
  captures: Captures
  /** A data folder with all records and an account of user "now". */
  full: string
  /** A backup of an earlier state, with an account of user "then". */
  backup: string
}

const MARKET = ['--venue', 'kalshi', '--market']

export async function makeUpkeep(folder: string, captures: Captures): Promise<Upkeep> {
  const [full, past, backup] = [join(folder, 'full'), join(folder, 'past'), join(folder, 'backup')]
  copyData(captures.before, past)
  await addUser(past, 'then')
  await runProgram(['backup', backup, '--data', past])
  copyData(captures.before, full)
  await addUser(full, 'now')
  await runProgram(['ingest', '--data', full, ...captures.files])
  rmSync(past, { recursive: true })
  return { captures, full, backup }
}

async function addUser(data: string, user: string): Promise<void> {
  const accounts = await openAccounts(accountsUrl(null, data))
  await accounts.createKey({ userId: user, name: 'laptop', plan: 'pro' })
  await accounts.close()
}

async function usersOf(data: string): Promise<string> {
  const accounts = await openAccounts(accountsUrl(null, data))
  const keys = async (userId: string) => (await accounts.listKeys({ userId, offset: 0, limit: 9 })).total
  const found = `then ${await keys('then')}, now ${await keys('now')}`
  await accounts.close()
  return found
}

/** Runs and kills a command, and checks the result. Returns whether the kill came in time. */
type Killed = (round: Round, upkeep: Upkeep, data: string) => Promise<boolean>

const compact: Killed = async ({ random }, { captures }, data) => {
  const behind = random.chance(0.5) ? { path: storeFile(data), changesMax: 2 } : undefined
  const { isKilled } = await runAndKill(['compact', '--data', data], random, behind)
  assertState(await stateOf(data), captures.stages.at(-1)!)
  await runProgram(['compact', '--data', data])
  assertState(await stateOf(data), captures.stages.at(-1)!)
  return isKilled
}

const backup: Killed = async ({ random, tally, folder }, { captures }, data) => {
  const backups = join(folder, 'backups')
  const made = join(backups, 'made')
  mkdirSync(backups, { recursive: true })
  const words = ['backup', made, '--data', data, '--verify']
  const { isKilled } = await runAndKill(words, random)
  if (existsSync(made)) {
    await checkBackup(made, () => undefined)
    tally.add('backups that were whole when they were killed')
  } else {
    const left = readdirSync(backups)
    if (left.some((name) => !/^\.made\.partial-[0-9]+$/.test(name))) throw new Error(`a backup left ${left.join(', ')}`)
    await runProgram(words)
    await checkBackup(made, () => undefined)
  }
  assertState(await stateOf(data), captures.stages.at(-1)!)
  rmSync(backups, { recursive: true })
  return isKilled
}

const restore: Killed = async ({ random, tally }, { captures, ...upkeep }, data) => {
  const words = ['restore', upkeep.backup, '--data', data, '--force']
  const behind = random.chance(0.5) ? { path: storeFile(data), changesMax: 1 } : undefined
  const { isKilled } = await runAndKill(words, random, behind)
  if (!hasStore(data)) {
    tally.add('restores that were killed between their renames')
    await runProgram(words)
  }
  const found = await stateOf(data)
  const isRestored = isSame(found, captures.stages[0]!)
  if (!isRestored) assertState(found, captures.stages.at(-1)!)
  const users = await usersOf(data)
  const expected = isRestored ? 'then 1, now 0' : 'then 0, now 1'
  if (users !== expected) throw new Error(`the accounts are not those of the store: ${users}`)
  tally.add(isRestored ? 'restores that were killed after they counted' : 'restores that were killed before')
  await runProgram(words)
  assertState(await stateOf(data), captures.stages[0]!)
  return isKilled
}

const exportRecords: Killed = async ({ random, folder }, { captures }, data) => {
  const file = join(folder, 'exported.ndjson.zst')
  const [market] = [...captures.stages[0]!.keys()]
    .filter((key) => key.startsWith('kalshi KXDEMO'))
    .map((key) => key.split(' ')[1]!)
  const words = ['export', ...MARKET, market!, '--data', data, '--output', file]
  const { isKilled } = await runAndKill(words, random)
  const left = readdirSync(folder).filter((name) => name.startsWith('exported'))
  if (left.some((name) => !/^exported\.ndjson\.zst(?:\.[0-9]+\.tmp)?$/.test(name))) {
    throw new Error(`an export left ${left.join(', ')}`)
  }
  const whole = existsSync(file) ? await Bun.file(file).bytes() : undefined
  rmSync(file, { force: true })
  await runProgram(words)
  const again = await Bun.file(file).bytes()
  if (whole !== undefined && !Buffer.from(whole).equals(again))
    throw new Error('an export that has its name is not whole')
  for (const name of readdirSync(folder)) if (name.startsWith('exported')) rmSync(join(folder, name))
  return isKilled
}

const UPKEEP = { compact, backup, restore, export: exportRecords }
export const UPKEEP_COMMANDS = Object.keys(UPKEEP) as (keyof typeof UPKEEP)[]

export async function killedUpkeep(round: Round, command: keyof typeof UPKEEP, upkeep: Upkeep): Promise<void> {
  const data = join(round.folder, 'kept')
  copyData(upkeep.full, data)
  const isKilled = await UPKEEP[command](round, upkeep, data)
  round.tally.add(isKilled ? `kills of ${command}` : `ends of ${command} before the kill`)
  const left = leftovers(data)
  if (left.length > 0) throw new Error(`a killed ${command} left ${left.join(', ')} behind the next one`)
  rmSync(data, { recursive: true })
}

function assertState(found: StoreState, expected: StoreState): void {
  if (!isSame(found, expected)) throw new Error('the store is not what it was')
}
