// A PostgreSQL of a test's own, which it can stop, kill and start again: Debian's, as an ordinary user, on a free port of
// loopback.

import { chownSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Glob } from 'bun'
import { temporaryFolder } from './server.ts'

const isRoot = process.getuid?.() === 0
const BIN = [...new Glob('/usr/lib/postgresql/*/bin').scanSync({ onlyFiles: false })].sort().at(-1)
/** PostgreSQL refuses to run as root. */
const user = isRoot ? /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8')) : null
const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []

/** Why there can be none here; undefined where there can. */
export const noPostgresServer =
  BIN === undefined
    ? 'PostgreSQL is not installed'
    : isRoot && user === null
      ? 'there is no user postgres to run it as'
      : undefined

export type PostgresServer = AsyncDisposable & {
  url: string
  start(): Promise<void>
  /** `fast` ends its connections, `immediate` is a crash that it knows of. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** kill -9 of its first process; the others notice. */
  kill(): Promise<void>
}

/** Started, with an empty database. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder()
  if (user) chownSync(folder.path, Number(user[1]), Number(user[2]))
  const data = join(folder.path, 'data')
  const run = async (program: string, ...words: string[]) => {
    const command = [...asUser, join(BIN!, program), '--pgdata', data, ...words]
    const child = Bun.spawn(command, { cwd: folder.path, stdout: 'ignore', stderr: 'ignore' })
    return (await child.exited) === 0
  }
  const log = join(folder.path, 'log')
  const fail = async (what: string) => {
    throw new Error(`PostgreSQL did not ${what}: ${await Bun.file(log).text()}`)
  }
  await run('initdb', '--username=backbook', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync')
  const port = await freePort()
  const options = `-h 127.0.0.1 -p ${port} -k ${folder.path} -c max_connections=20`
  /** What is left of a server that was killed may take a moment to notice. */
  const start = async () => {
    for (let tries = 0; tries < 100; tries++) {
      if (await run('pg_ctl', 'start', '--wait', '--log', log, '--options', options)) return
      await Bun.sleep(100)
    }
    await fail('start')
  }
  await start()
  return {
    url: `postgres://backbook@127.0.0.1:${port}/postgres`,
    start,
    stop: async (mode) => void ((await run('pg_ctl', 'stop', '--wait', '--mode', mode)) || (await fail('stop'))),
    async kill() {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
    async [Symbol.asyncDispose]() {
      await run('pg_ctl', 'stop', '--wait', '--mode', 'immediate')
      folder[Symbol.dispose]()
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
