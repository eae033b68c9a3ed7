// `keep-slugs`: stores Gamma's answers for the server. Hidden from the help, since only the server runs it.

import type { Command } from 'commander'
import { storeMetadata } from '../../../workers/load/store-metadata.ts'
import { readConfig } from '../../config/config.ts'
import { withStoreAt } from '../store-place.ts'

export function addKeepSlugsCommand(program: Command): void {
  program
    .command('keep-slugs', { hidden: true })
    .description('store the events and markets of stdin, a JSON array, for the lookup')
    .argument('<data>', 'data folder')
    .action(async (data: string) => {
      const documents = (await Bun.stdin.json()) as unknown[]
      // The server passes the settings of a cluster's store in environment variables.
      const { cluster } = readConfig({ variables: process.env }, 1)
      await withStoreAt({ folder: data, cluster }, { mayWrite: true }, ({ catalogue }) =>
        storeMetadata(catalogue, documents, Date.now()),
      )
    })
}
