// The accounts as the commands open them: where the configuration says, with its plans.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { isName, isNewUserId } from '../../accounts/keys/users.ts'
import { ACCOUNTS_FILE, type Accounts, accountsUrl, openAccounts } from '../../accounts/sql/open-accounts.ts'
import type { Plans } from '../../accounts/usage/plans.ts'
import { loadPlans } from '../../accounts/usage/plans-file.ts'
import type { Config } from '../../config/config.ts'
import { NAME_ACCEPTED, NEW_USER_ACCEPTED } from '../../http/parameters/account-parameters.ts'
import { type CommandOptions, configOf } from '../server/settings.ts'
import { CommandError } from '../terminal/program.ts'

/** Opens them for the time of `run`, and makes them where there are none. */
export async function withAccounts(options: CommandOptions, run: (accounts: Accounts) => Promise<void>): Promise<void> {
  const config = configOf(options)
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, config.data), { plans: plansOf(config) })
  try {
    await run(accounts)
  } finally {
    await accounts.close()
  }
}

/** As `withAccounts`, for commands that have nothing to do where there are none: most likely the folder is mistyped. */
export function withExistingAccounts(
  options: CommandOptions,
  run: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const { accountsUrl: url, data } = configOf(options)
  if (url === null && !existsSync(join(data, ACCOUNTS_FILE))) {
    throw new CommandError(`there are no accounts in ${JSON.stringify(data)}: accepted is a data folder with a key`, 2)
  }
  return withAccounts(options, run)
}

export function plansOf({ plansFile }: Pick<Config, 'plansFile'>): Plans {
  try {
    return loadPlans(plansFile)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
}

/** For what needs no accounts, and must not make any where there are none. */
export const configuredPlans = (options: CommandOptions): Plans => plansOf(configOf(options))

export function assertPlan(plans: Plans, plan: string): void {
  if (plans.byId.has(plan)) return
  throw new CommandError(
    `there is no plan ${JSON.stringify(plan)}: accepted is ${[...plans.byId.keys()].join(', ')}`,
    2,
  )
}

export function readName(text: string): string {
  if (isName(text)) return text
  throw new InvalidArgumentError(`Accepted are ${NAME_ACCEPTED}.`)
}

/** For commands that may make the user. */
export function readNewUser(text: string): string {
  if (isNewUserId(text)) return text
  throw new InvalidArgumentError(`Accepted are ${NEW_USER_ACCEPTED}.`)
}
