// The databases of a file of which some pages are damaged. What lies under a damaged page is refused and never asked of
// LMDB, which could end the process or find nothing there; the rest is answered. Nothing is written to such a file: a
// change may touch any page.

import { toBufferKey } from 'ordered-binary'
import { damageOf } from '../damage.ts'
import { DataError } from '../failures.ts'
import type { DatabaseName, Databases, Key } from './databases.ts'
import { concernsKey, concernsRange, describeFaults, type PageFault, ROOTS } from './page-fault.ts'

type Range = { start?: Key; end?: Key; reverse?: boolean }
type Database = Databases[DatabaseName]

const READS_ONE = new Set<PropertyKey>(['get', 'getBinary', 'getEntry', 'doesExist'])
const READS_RANGE = new Set<PropertyKey>(['getKeys', 'getRange', 'getKeysCount', 'getCount'])
const WRITES = new Set<PropertyKey>([
  'put',
  'putSync',
  'remove',
  'removeSync',
  'transaction',
  'transactionSync',
  'backup',
])

/** As they are where there is no fault. Without sound roots nothing is asked of LMDB. */
export function guardDatabases(databases: Databases, faults: PageFault[], path: string): Databases {
  if (faults.length === 0) return databases
  const ofRoots = faults.filter(({ tree }) => tree === ROOTS)
  if (ofRoots.length > 0) return refuseAll(databases, describeFaults(path, ofRoots))
  const refuse = () => {
    throw new DataError('store_unavailable', `${describeFaults(path, faults)} It can be read, and not be written to.`)
  }
  const guarded = Object.entries(databases).map(([name, database]) => {
    const own = faults.filter(({ tree }) => tree === name)
    return [name, guard(name, database as Database, own, refuse)]
  })
  return Object.fromEntries(guarded) as Databases
}

function refuseAll(databases: Databases, message: string): Databases {
  const refuse = () => {
    throw new DataError('store_unavailable', message)
  }
  const refusing = (database: object) =>
    new Proxy(database, {
      get: (target, property) => (typeof Reflect.get(target, property, target) === 'function' ? refuse : undefined),
    })
  return Object.fromEntries(
    Object.entries(databases).map(([name, database]) => [name, refusing(database)]),
  ) as Databases
}

function guard(name: string, database: Database, faults: PageFault[], refuse: () => never): Database {
  const assertOne = (key: Key) => {
    const bytes = toBufferKey(key)
    for (const fault of faults) if (concernsKey(fault, bytes)) throw damaged(name, key, fault)
  }
  const assertRange = ({ start, end, reverse }: Range = {}) => {
    const [low, high] = reverse ? [end, start] : [start, end]
    const [from, to] = [low, high].map((key) => (key === undefined ? undefined : toBufferKey(key)))
    for (const fault of faults) if (concernsRange(fault, from, to)) throw damaged(name, low ?? [], fault)
  }
  const misplaced = faults.find(({ isMisplaced }) => isMisplaced)
  return new Proxy(database, {
    get(target, property) {
      if (WRITES.has(property)) return refuse
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (READS_ONE.has(property)) assertOne(given[0] as Key)
        if (READS_RANGE.has(property)) assertRange(given[0] as Range | undefined)
        const answer: unknown = value.apply(target, given)
        if (answer === undefined && READS_ONE.has(property) && misplaced !== undefined) {
          throw damaged(name, given[0] as Key, misplaced)
        }
        return answer
      }
    },
  })
}

function damaged(name: string, key: Key, { page, what }: PageFault): DataError {
  const parts = typeof key === 'string' ? [key] : key.filter((part) => part !== '')
  return damageOf(`index (${name}) of ${parts.join(' ') || 'all markets'}`, `page ${page} of the store's file ${what}`)
}
