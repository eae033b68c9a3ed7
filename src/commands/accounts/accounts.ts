// Opens the accounts for a command: at the address and with the plans of the configuration.

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { isName, isNewUserId } from '../../accounts/keys/users.ts'
import { type Accounts, accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import type { Plan, Plans } from '../../accounts/usage/plans.ts'
import { loadPlans } from '../../accounts/usage/plans-file.ts'
import type { Config } from '../../config/config.ts'
import { NAME_ACCEPTED, NEW_USER_ACCEPTED } from '../../http/parameters/account-parameters.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { type CommandOptions, configOf } from '../settings.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { CommandError, EXIT } from '../terminal/program.ts'

const SQLITE = 'sqlite://'

/** Opens the accounts while `run` runs, and creates them if there are none. The folder must exist: a missing one is
 *  most likely mistyped. */
export async function withAccounts(options: CommandOptions, run: (accounts: Accounts) => Promise<void>): Promise<void> {
  const config = configOf(options)
  const folder = accountsFile(config) === null ? null : dirname(accountsFile(config)!)
  if (folder !== null && !existsSync(folder)) {
    throw new CommandError(`the data folder must exist, got ${JSON.stringify(folder)}: ingest and serve make it`, 2)
  }
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, config.data), { plans: plansOf(config) })
  try {
    await run(accounts)
  } finally {
    await accounts.close()
  }
}

/** Like `withAccounts`, but throws if there are no accounts: most likely the folder is mistyped. */
export function withExistingAccounts(
  options: CommandOptions,
  run: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const file = accountsFile(configOf(options))
  if (file !== null && !existsSync(file)) {
    throw new CommandError(`there are no accounts in ${JSON.stringify(dirname(file))}: "keys create" makes them`, 2)
  }
  return withAccounts(options, run)
}

/** Throws if there is no such user: most likely the name is mistyped. */
export async function assertUser(accounts: Accounts, user: string): Promise<void> {
  if (await accounts.hasUser(user)) return
  throw new CommandError(`there is no user ${JSON.stringify(user)}`, EXIT.failed)
}

/** Returns the SQLite file of the accounts; null if they are in PostgreSQL. */
function accountsFile({ accountsUrl: configured, data }: Config): string | null {
  const url = accountsUrl(configured, data)
  return url.startsWith(SQLITE) ? url.slice(SQLITE.length) : null
}

/** Returns the plan of a user that an operator creates: `pro`, which is unlimited, or the default plan if there is no
 *  `pro`. */
export const operatorsPlan = ({ byId, default: fallback }: Plans): string => (byId.has('pro') ? 'pro' : fallback.id)

/** Describes what a plan allows. */
export function allowanceOf({ callsPerMonth, callsPerSecond }: Plan): string {
  const month = callsPerMonth === null ? 'unlimited calls' : `${counted(callsPerMonth, 'call')} a month`
  return callsPerSecond === null ? month : `${month}, ${grouped(callsPerSecond)} a second`
}

export function plansOf({ plansFile }: Pick<Config, 'plansFile'>): Plans {
  try {
    return loadPlans(plansFile)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
}

/** Reads only the plans, for commands that must not create accounts. */
export const configuredPlans = (options: CommandOptions): Plans => plansOf(configOf(options))

export function assertPlan(plans: Plans, plan: string): void {
  if (plans.byId.has(plan)) return
  throw new CommandError(`--plan ${mustBe(`one of ${[...plans.byId.keys()].join(', ')}`, plan)}`, EXIT.usage)
}

export function readName(text: string): string {
  if (isName(text)) return text
  throw new InvalidArgumentError(`must be ${NAME_ACCEPTED}`)
}

/** Accepts only user ids that are valid for a new user, for a command that may create the user. */
export function readNewUser(text: string): string {
  if (isNewUserId(text)) return text
  throw new InvalidArgumentError(`must be ${NEW_USER_ACCEPTED}`)
}
