// What finds markets, in PostgreSQL.

import type { Postgres } from './connection.ts'

export class PostgresFinding {
  protected readonly postgres: Postgres

  constructor(postgres: Postgres) {
    this.postgres = postgres
  }
}
