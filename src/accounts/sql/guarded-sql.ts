// Wraps the SQL library's object: statements and lists of values look the same, but each statement runs through a
// guard, which limits its time or translates its failures.

import type { SQL } from 'bun'

export type Guard = <T>(query: (sql: SQL) => Promise<T>) => Promise<T>

export function guardedSql(guard: Guard, pool: () => SQL): SQL {
  const isTemplate = (value: unknown): value is TemplateStringsArray => Array.isArray(value) && 'raw' in value
  const template = (first: TemplateStringsArray | readonly unknown[], ...values: unknown[]) =>
    isTemplate(first) ? guard(async (sql) => await sql(first, ...values)) : pool()(first as never)
  const unsafe = (statement: string) => guard(async (sql) => await sql.unsafe(statement))
  return Object.assign(template, { unsafe }) as unknown as SQL
}
