// Tests `serve --print-config` as a process: it prints each value and its source, and no secret.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/server.ts'
import { withoutPassword } from './print-settings.ts'

const MAIN = join(import.meta.dir, '../../main.ts')

async function printConfig(folder: string, words: string[], env: Record<string, string> = {}) {
  const command = [process.execPath, MAIN, 'serve', '--print-config', ...words]
  const environment = { PATH: process.env['PATH'] ?? '', ...env }
  const child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe', env: environment })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

const TOML = 'admin_token = "hunter2-admin"\naccounts_url = "postgres://u:hunter2@h/d"\nshutdown_seconds = 5\n'

test('flags over the environment over the file over defaults, with secrets masked', async () => {
  using folder = temporaryFolder()
  await Bun.write(join(folder.path, 'backbook.toml'), TOML)
  const env = { SHUTDOWN_SECONDS: '6', WORKER_THREADS: '3', MONITORING_TOKEN: 'hunter2-monitoring' }
  const { out, err, exitCode } = await printConfig(folder.path, ['--worker-threads', '4', '--json'], env)
  expect([err, exitCode]).toEqual(['', 0])
  const printed = JSON.parse(out)
  expect(printed.file).toBe('backbook.toml')
  expect(printed.settings).toMatchObject({
    admin_token: { value: '********', from: 'file backbook.toml' },
    accounts_url: { value: 'postgres://u:********@h/d', from: 'file backbook.toml' },
    monitoring_token: { value: '********', from: 'variable MONITORING_TOKEN' },
    shutdown_seconds: { value: 6, from: 'variable SHUTDOWN_SECONDS' },
    worker_threads: { value: 4, from: 'flag --worker-threads' },
    gamma_url: { value: null, from: 'default' },
  })
  const table = await printConfig(folder.path, [], env)
  expect(table.out).toMatch(/^SETTING +VALUE +FROM\n/)
  expect(table.out).toMatch(/\nshutdown_seconds +6 +variable SHUTDOWN_SECONDS\n/)
  expect(table.out).toMatch(/\nplans_file +\(the built-in plans\) +default\n/)
  expect(out + table.out).not.toContain('hunter2')
}, 30_000)

test('the flag or the variable names a file, and each error in it is one line', async () => {
  using folder = temporaryFolder()
  await Bun.write(join(folder.path, 'one.json'), '{"port": 1}')
  await Bun.write(join(folder.path, 'two.toml'), 'prot = 2\nadmin_token = "hunter2"\n')
  const one = await printConfig(folder.path, ['--config', 'one.json', '--json'], { BACKBOOK_CONFIG: 'two.toml' })
  expect(JSON.parse(one.out).settings.port).toEqual({ value: 1, from: 'file one.json' })
  const two = await printConfig(folder.path, [], { BACKBOOK_CONFIG: 'two.toml' })
  expect([two.exitCode, two.out]).toEqual([2, ''])
  expect(two.err).toBe(
    'backbook: unknown setting "prot" in two.toml: did you mean port?; ' +
      'admin_token in two.toml must be at least 8 characters\n',
  )
}, 30_000)

test.each([
  ['postgres://u:p@h/d', 'postgres://u:********@h/d'],
  ['postgres://u:p@ss@h:5432/d', 'postgres://u:********@h:5432/d'],
  ['postgres://u:p:q@h/d?sslmode=require', 'postgres://u:********@h/d?sslmode=require'],
  ['postgres://h/d?user=u&password=p', 'postgres://h/d?user=u&password=********'],
  ['postgres://u@h/d', 'postgres://u@h/d'],
  ['sqlite:///var/lib/a:b@c.sqlite', 'sqlite:///var/lib/a:b@c.sqlite'],
])('%s is printed as %s', (address, expected) => expect(withoutPassword(address)).toBe(expected))
