// `keys create`: makes an API key from the command line. A running server knows it at once.

import { type Command, InvalidArgumentError } from 'commander'
import type { CreatedKey } from '../accounts/keys.ts'
import { accountsUrl, openAccounts } from '../accounts/open-accounts.ts'
import { PLANS } from '../accounts/plans.ts'
import { isName, NAME_ACCEPTED } from '../routes/keys.ts'
import { configOf } from './serve.ts'

type CreateOptions = { data: string; user: string; name: string; plan?: string; json?: true }

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('manage API keys')
  keys
    .command('create')
    .description('make an API key; its secret is shown once')
    .option('--data <folder>', 'data folder', 'data')
    .requiredOption('--user <user>', 'the user that the key belongs to', readName)
    .requiredOption('--name <name>', 'what the key is for', readName)
    .option('--plan <plan>', `puts the user on this plan: ${PLANS.join(', ')}`, readPlan)
    .option('--json', 'print one line of JSON')
    .action(async ({ data, user, name, plan, json }: CreateOptions) => {
      const accounts = await openAccounts(accountsUrl(configOf(process.env).accountsUrl, data))
      try {
        const created = await accounts.createKey({ userId: user, name, plan })
        process.stdout.write(json ? jsonLine(created) : plainLines(created))
      } finally {
        await accounts.close()
      }
    })
}

const jsonLine = ({ keyId, secret, userId, name, createdAt }: CreatedKey) =>
  `${JSON.stringify({ key_id: keyId, api_key: secret, user_id: userId, name, created_at: createdAt })}\n`

const plainLines = ({ keyId, secret, userId, name }: CreatedKey) =>
  `${secret}\n\nKey ${keyId} of user ${userId}, named ${name}. The line above is the secret: it is not shown again.\n`

function readName(text: string): string {
  if (isName(text)) return text
  throw new InvalidArgumentError(`Accepted are ${NAME_ACCEPTED}.`)
}

function readPlan(text: string): string {
  if (PLANS.some((plan) => plan === text)) return text
  throw new InvalidArgumentError(`Accepted are ${PLANS.join(', ')}.`)
}
