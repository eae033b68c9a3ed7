// A PostgreSQL server of its own for a test. The test can stop, kill and restart it, and fail over to a standby. The
// server runs as an ordinary user, on a free port of loopback. It ends with the process group of the test.

import { chmodSync, chownSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Glob, SQL } from 'bun'
import { isPresent } from '../run/missing.ts'
import { temporaryFolder } from './server.ts'

const isRoot = process.getuid?.() === 0
const BIN = [...new Glob('/usr/lib/postgresql/*/bin').scanSync({ onlyFiles: false })].sort().at(-1)
/** The user that runs the server if the tests run as root, because PostgreSQL refuses to run as root. */
const user = isRoot ? /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8')) : null
const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []

/** The reason why this machine cannot run a server; undefined if it can. */
export const noPostgresServer =
  BIN === undefined
    ? 'PostgreSQL is not installed'
    : isRoot && user === null
      ? 'there is no user postgres to run it as'
      : undefined
isPresent(noPostgresServer === undefined, `a PostgreSQL of its own: ${noPostgresServer}`)

export type PostgresServer = AsyncDisposable & {
  url: string
  port: number
  start(): Promise<void>
  /** `fast` ends the connections and shuts down. `immediate` stops without a checkpoint, like a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Kills its first process with kill -9. The other processes notice. */
  kill(): Promise<void>
  /** Starts a standby that follows this server. From then on, a commit is acknowledged when both servers have it. */
  standBy(): Promise<Standby>
}

export type Standby = PostgresServer & {
  /** Stops following the other server, and accepts writes. */
  promote(): Promise<void>
}

/** `words` are its settings as arguments. */
type Place = { folder: string; data: string; words: string[] }
type Options = {
  connections?: number
  /** The files of its key and its certificate. */
  tls?: { key: string; certificate: string }
}

/** Starts a server with an empty database. */
export async function startPostgres({ connections = 20, tls }: Options = {}): Promise<PostgresServer> {
  const folder = temporaryFolder()
  if (user) chownSync(folder.path, Number(user[1]), Number(user[2]))
  const settings = ['-c', `max_connections=${connections}`, ...(tls ? await encrypted(folder.path, tls) : [])]
  const place = { folder: folder.path, data: join(folder.path, 'data'), words: settings }
  const words = ['--username=backbook', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  await expectRun(place, 'initdb', '--pgdata', place.data, ...words)
  return serve(place, () => folder[Symbol.dispose]())
}

async function encrypted(folder: string, tls: NonNullable<Options['tls']>): Promise<string[]> {
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  for (const name of ['key', 'certificate'] as const) {
    await Bun.write(files[name], Bun.file(tls[name]))
    chmodSync(files[name], 0o600)
    if (user) chownSync(files[name], Number(user[1]), Number(user[2]))
  }
  // The certificate does not cover the second address.
  const addresses = ['-h', '127.0.0.1,127.0.0.2']
  return [...addresses, '-c', 'ssl=on', '-c', `ssl_key_file=${files.key}`, '-c', `ssl_cert_file=${files.certificate}`]
}

async function serve(place: Place, remove: () => void): Promise<PostgresServer> {
  const { data } = place
  const port = await freePort()
  const url = `postgres://backbook@127.0.0.1:${port}/postgres`
  let child = await start(place, port)
  const stop = (mode: string) => expectRun(place, 'pg_ctl', 'stop', '--wait', '--mode', mode, '--pgdata', data)
  return {
    url,
    port,
    async start() {
      child = await start(place, port)
    },
    stop,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    standBy: () => standBy(place, url),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('immediate')
      remove()
    },
  }
}

/** Starts the server. Does not use `pg_ctl start`: it would start a new session, which would outlive the tests. The
 *  remaining processes of a killed server may take a moment to end. */
async function start(place: Place, port: number): Promise<Bun.Subprocess> {
  const log = Bun.file(join(place.folder, `log-${port}`))
  const address = ['-h', '127.0.0.1', '-p', String(port), '-k', place.folder]
  const words = ['-D', place.data, ...address, ...place.words]
  for (let tries = 0; tries < 100; tries++) {
    const command = [...asUser, join(BIN!, 'postgres'), ...words]
    const child = Bun.spawn(command, { cwd: place.folder, stdout: 'ignore', stderr: log })
    while (child.exitCode === null) {
      if (await run(place, 'pg_isready', '-q', '-h', '127.0.0.1', '-p', String(port))) return child
      await Bun.sleep(50)
    }
    await Bun.sleep(100)
  }
  throw new Error(`PostgreSQL did not start: ${await log.text()}`)
}

async function standBy(primary: Place, url: string): Promise<Standby> {
  const place = { ...primary, data: `${primary.data}-standby` }
  const words = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', '--dbname', url]
  await expectRun(place, 'pg_basebackup', '--pgdata', place.data, ...words)
  const server = await serve(place, () => rmSync(place.data, { recursive: true, force: true }))
  const sql = new SQL(url, { max: 1 })
  await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await sql`SELECT pg_reload_conf()`
  await sql.close()
  return {
    ...server,
    promote: () => expectRun(place, 'pg_ctl', 'promote', '--wait', '--pgdata', place.data),
  }
}

async function run({ folder }: Place, program: string, ...words: string[]): Promise<boolean> {
  const command = [...asUser, join(BIN!, program), ...words]
  const child = Bun.spawn(command, { cwd: folder, stdout: 'ignore', stderr: Bun.file(join(folder, `log-${program}`)) })
  return (await child.exited) === 0
}

async function expectRun(place: Place, program: string, ...words: string[]): Promise<void> {
  if (await run(place, program, ...words)) return
  const log = await Bun.file(join(place.folder, `log-${program}`)).text()
  throw new Error(`${program} ${words.join(' ')}: ${log}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
