// Copies the accounts' SQLite file consistently while it is in use, and checks a copy.

import { SQL } from 'bun'

/** Works while another process writes: SQLite copies one snapshot, without free pages. */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  const sql = new SQL({ adapter: 'sqlite', filename: from, create: false })
  try {
    await sql.unsafe('PRAGMA busy_timeout = 5000')
    await sql.unsafe(`VACUUM INTO '${to.replaceAll("'", "''")}'`)
  } finally {
    await sql.close()
  }
}

/** Rejects if SQLite finds damage. */
export async function checkSqliteFile(path: string): Promise<void> {
  const sql = new SQL({ adapter: 'sqlite', filename: path, readonly: true })
  try {
    const rows: { integrity_check: string }[] = await sql.unsafe('PRAGMA integrity_check')
    const found = rows.map(({ integrity_check }) => integrity_check).join('; ')
    if (found !== 'ok') throw new Error(`the accounts in ${path} are damaged: ${found}`)
  } finally {
    await sql.close()
  }
}
