// Kills every command that writes with -9, at any moment. Acknowledged changes stay, and any other change is complete
// or absent. Running the command again completes it.

import { join } from 'node:path'
import { makeEmptyPostgres } from '../../support/accounts.ts'
import type { Round, TortureTopic } from '../topic.ts'
import { copyData, makeCaptures } from './crashes/crashing-captures.ts'
import { killedKeys } from './crashes/killed-keys.ts'
import { killedLoad } from './crashes/killed-loads.ts'
import { killedServer, PLANS, type Served } from './crashes/killed-server.ts'
import { killedUpkeep, makeUpkeep, UPKEEP_COMMANDS } from './crashes/killed-upkeep.ts'

type Scenario = (round: Round) => Promise<void>

export const topic: TortureTopic = {
  title: 'kill -9 of everything that writes, at any moment',
  smokeRounds: 5,
  smokeTally: ['kills of ingest', 'kills of serve', 'kills of keys', 'acknowledged keys that were there'],
  async prepare({ folder, isSmoke }) {
    const captures = await makeCaptures(join(folder, 'captures'), isSmoke)
    const upkeep = await makeUpkeep(join(folder, 'upkeep'), captures)
    const plansFile = join(folder, 'plans.json')
    await Bun.write(plansFile, JSON.stringify(PLANS))
    const serve = (name: string, accountsUrl: string): Served => {
      const data = join(folder, name)
      copyData(captures.before, data)
      return { data, accountsUrl, plansFile }
    }
    const onSqlite = serve('on-sqlite', `sqlite://${join(folder, 'on-sqlite', 'accounts.sqlite')}`)
    const postgres = await makeEmptyPostgres()
    const onPostgres = postgres === undefined ? undefined : serve('on-postgres', postgres.url)
    const scenarios: Scenario[] = [
      (round) => killedLoad(round, captures),
      (round) => killedServer(round, onSqlite),
      (round) => killedKeys(round, onSqlite),
      ...UPKEEP_COMMANDS.map(
        (command): Scenario =>
          (round) =>
            killedUpkeep(round, command, upkeep),
      ),
      ...(onPostgres === undefined
        ? []
        : [killedServer, killedKeys].map((kill) => (round: Round) => kill(round, onPostgres))),
    ]
    let turn = 0
    return {
      round: (round) => (isSmoke ? scenarios[turn++]! : round.random.pick(scenarios))(round),
      close: async () => postgres?.[Symbol.asyncDispose](),
    }
  },
}
