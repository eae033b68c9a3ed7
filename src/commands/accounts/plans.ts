// `plans`: lists the plans, puts users on them, and shows usage.

import type { Command } from 'commander'
import { isNewUserId } from '../../accounts/keys/users.ts'
import type { Plan } from '../../accounts/usage/plans.ts'
import { NEW_USER_ACCEPTED } from '../../http/parameters/account-parameters.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { addSettings, type CommandOptions } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'
import { assertPlan, assertUser, configuredPlans, readName, withAccounts, withExistingAccounts } from './accounts.ts'

type Common = CommandOptions & { json?: true }
type UserOptions = Common & { user: string }

export function addPlansCommand(program: Command): void {
  const plans = program.command('plans').description('manage plans and the users on them')
  const command = (name: string, description: string) =>
    addSettings(plans.command(name), ['data', 'accounts_url', 'plans_file'])
      .description(description)
      .option('--json', 'print JSON, on one line')
  command('list', 'list the plans and their limits').action(list)
  command('set', 'put a user on a plan')
    .requiredOption('--user <user>', 'id of the user', readName)
    .requiredOption('--plan <plan>', 'id of the plan')
    .action(set)
  command('usage', 'show the calls of a user this month')
    .requiredOption('--user <user>', 'id of the user', readName)
    .action(usage)
  addExamples(plans, ['backbook plans list', 'backbook plans set --user alice --plan pro'])
}

function list({ json, ...options }: Common): void {
  const plans = configuredPlans(options)
  const all = [...plans.byId.values()]
  if (json) return printJson({ default: plans.default.id, plans: all.map(planJson) })
  const rows = all.map(({ id, name, callsPerMonth, callsPerSecond, burst }) => [
    ...[id, name, orUnlimited(callsPerMonth), orUnlimited(callsPerSecond)],
    callsPerSecond === null ? null : grouped(burst),
  ])
  terminal().stdout.write(table(['PLAN', 'NAME', 'CALLS A MONTH', 'CALLS A SECOND', 'BURST'], rows))
}

async function set({ user, plan, json, ...options }: UserOptions & { plan: string }): Promise<void> {
  assertPlan(configuredPlans(options), plan)
  // An older user may have an id that is no longer accepted for a new user.
  const open = isNewUserId(user) ? withAccounts : withExistingAccounts
  await open(options, async (accounts) => {
    if (!isNewUserId(user) && !(await accounts.hasUser(user))) {
      throw new CommandError(`--user ${mustBe(NEW_USER_ACCEPTED, user)}`, EXIT.usage)
    }
    const { basePlan, subscriptionPlan } = await accounts.setPlan(user, plan)
    if (json) return printJson({ user_id: user, plan: basePlan, subscription_plan: subscriptionPlan })
    terminal().stdout.write(`User ${user} is on plan ${basePlan}.\n`)
    if (subscriptionPlan !== null) {
      terminal().stdout.write(`While the user's subscription lasts, its plan ${subscriptionPlan} applies instead.\n`)
    }
  })
}

const usage = ({ user, json, ...options }: UserOptions) =>
  withExistingAccounts(options, async (accounts) => {
    await assertUser(accounts, user)
    const { plan, calls, month } = await accounts.usage(user)
    const limit = plan.callsPerMonth
    if (json) printJson({ user_id: user, tier: plan.id, api_calls: calls, limit, month })
    else
      terminal().stdout.write(
        table(
          ['USER', 'PLAN', 'MONTH', 'CALLS', 'LIMIT'],
          [[user, plan.id, month, grouped(calls), orUnlimited(limit)]],
        ),
      )
  })

const orUnlimited = (limit: number | null) => (limit === null ? 'unlimited' : grouped(limit))

const planJson = ({ id, name, callsPerMonth, callsPerSecond, burst, stripePriceIds }: Plan) => ({
  id,
  name,
  calls_per_month: callsPerMonth,
  calls_per_second: callsPerSecond,
  burst: callsPerSecond === null ? null : burst,
  stripe_price_ids: stripePriceIds,
})
