// Copies the project and adds a third venue: its files, and one entry in each map.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')
const TOY = join(import.meta.dir, 'toy')
/** Files and folders that the program and the suite consist of. */
const COPIED = [
  ...['storage', 'workers', 'src', 'explorer', 'test/support', 'test/run', 'test/model', 'test/contract'],
  ...['test/client/client-types.ts', 'test/client/client-types.test.ts'],
  ...['docs', 'deploy', 'clients', 'package.json', 'tsconfig.json'],
]

/** Each map, and the path from which it imports the venue's entry. Null if the entry itself is null. */
export const MAPS: Readonly<Record<string, string | null>> = {
  'storage/venue.ts': './venues/toy.ts',
  'workers/venues.ts': './venues/toy/venue.ts',
  'src/venues.ts': './venues/toy.ts',
  'src/replay-endpoints.ts': null,
  'src/record/venues/venues.ts': './toy/venue.ts',
  'explorer/venues.ts': './venues/toy.ts',
  'test/contract/venue/samples/samples.ts': './toy.ts',
}

/** Copies the project into an empty folder, with the files of the venue. */
export function copyWithVenue(folder: string): void {
  for (const name of COPIED) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (path) => !isLeftOut(path) })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  cpSync(TOY, folder, { recursive: true })
}

/** Adds the venue to maps of a copy. */
export function addEntries(folder: string, maps: readonly string[]): void {
  for (const name of maps) addEntry(join(folder, name), MAPS[name]!)
}

const isLeftOut = (path: string): boolean => /(?:^|\/)node_modules(?:\/|$)/.test(relative(ROOT, path)) || path === TOY

function addEntry(map: string, from: string | null): void {
  const text = readFileSync(map, 'utf8')
  const entry = text.match(/polymarket: POLYMARKET(?= \})|kalshi: KALSHI, polymarket: POLYMARKET|kalshi: KALSHI(?= \})/)
  if (entry === null) throw new Error(`${map} has no map of venues`)
  const added = text.replace(entry[0], `${entry[0]}, toy: ${from === null ? 'null' : 'TOY'}`)
  const first = added.indexOf('import ')
  const line = from === null ? '' : `import { TOY } from '${from}'\n`
  writeFileSync(map, `${added.slice(0, first)}${line}${added.slice(first)}`)
}
