// Loads the programs that backbook is compared and tested with, if `bun run bench:peers` has installed them. They are
// not dependencies of the project, so their types are declared here as far as they are used.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const MODULES = join(FOLDER, 'node_modules')

export type Level = { price: number; amount: number }
export type BookUpdate = { isSnapshot: boolean; bids: Level[]; asks: Level[] }
export type TardisBook = {
  update(change: BookUpdate): void
  bestBid(): Level | undefined
  bestAsk(): Level | undefined
}
export type Tardis = { OrderBook: new () => TardisBook }

export type DuckdbConnection = {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>
}
type Duckdb = {
  DuckDBInstance: {
    create(path: string, options: Record<string, string>): Promise<{ connect(): Promise<DuckdbConnection> }>
  }
}

export type PolarsExpression = {
  alias(name: string): PolarsExpression
  sum(): PolarsExpression
  min(): PolarsExpression
  max(): PolarsExpression
  count(): PolarsExpression
  last(): PolarsExpression
  gt(than: number): PolarsExpression
}
export type PolarsScan = {
  groupBy(names: string[]): { agg(...columns: PolarsExpression[]): PolarsScan }
  filter(where: PolarsExpression): PolarsScan
  sort(names: string[]): PolarsScan
  collect(): Promise<{ toRecords(): Record<string, unknown>[] }>
}
export type Polars = {
  scanParquet(glob: string, options: Record<string, unknown>): PolarsScan
  col(name: string): PolarsExpression
  len(): PolarsExpression
}

export const NOT_INSTALLED = 'the peers are not installed, so there is nothing beside our figures: bun run bench:peers'

export const arePeersInstalled = (): boolean => existsSync(join(MODULES, '@duckdb/node-api'))
export const isPolarsInstalled = (): boolean => existsSync(join(MODULES, 'nodejs-polars'))

export async function loadTardis(): Promise<Tardis> {
  return importPeer('tardis-dev')
}

export async function loadPolars(): Promise<Polars> {
  return (await importPeer<{ default: Polars }>('nodejs-polars')).default
}

/** Returns the path of Deno; undefined if it is not installed. */
export function denoProgram(): string | undefined {
  // Deno's package would install the program with an install script, but we run no install scripts.
  const programs = existsSync(MODULES) ? [...new Glob('@deno/*/deno{,.exe}').scanSync(MODULES)] : []
  return programs[0] === undefined ? (Bun.which('deno') ?? undefined) : join(MODULES, programs[0])
}

/** Opens a database in memory. */
export async function openDuckdb(threads = 1): Promise<DuckdbConnection> {
  const { DuckDBInstance } = await importPeer<Duckdb>('@duckdb/node-api')
  return (await DuckDBInstance.create(':memory:', { threads: `${threads}` })).connect()
}

async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(Bun.resolveSync(name, FOLDER))) as Module
}
