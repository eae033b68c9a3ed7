// Reads the content of a data folder through its store and its accounts.

import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { openStore } from '../../../storage/open-store.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'

/** Returns the source of a backup of a folder. */
export const backupSource = (data: string) => ({ data, accountsFile: `${data}/accounts.sqlite` })

/** Returns every head of a folder, its number of records, and its damage. */
export async function contentOf(data: string): Promise<unknown> {
  const store = openStore(data)
  const heads = []
  for await (const key of store.catalogue.partitions('kalshi'))
    heads.push({ key, head: await store.catalogue.head(key) })
  const { records, damage } = await verifyStore(store)
  await store.close()
  return { heads, records, damage }
}

/** Returns the user of a key, or the reason why the key is refused. */
export async function userOf(data: string, secret: string): Promise<unknown> {
  const accounts = await openAccounts(accountsUrl(null, data))
  const answer = await accounts.authenticate(secret)
  await accounts.close()
  return answer.ok ? answer.key.userId : answer.reason
}
