// Settings: which source wins, what is refused, and refusals that do not repeat a secret.

import { expect, test } from 'bun:test'
import { readSettings, type SettingSources } from '../../../src/config/read-settings.ts'

const file = (values: Record<string, unknown>) => ({ path: 'backbook.toml', values })

function refusalOf(sources: SettingSources): string {
  try {
    readSettings(sources, 1)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('a flag wins over a variable, a variable over the file, the file over the default', () => {
  const sources = {
    flags: { port: '1' },
    variables: { BACKBOOK_PORT: '2', WORKER_THREADS: '2' },
    file: file({ port: 3, worker_threads: 3, shutdown_seconds: 3 }),
  }
  const { values, origins } = readSettings(sources, 8)
  expect(values).toMatchObject({ port: 1, worker_threads: 2, shutdown_seconds: 3, answer_cache_mb: 48 })
  expect(origins).toMatchObject({
    port: 'flag --port',
    worker_threads: 'variable WORKER_THREADS',
    shutdown_seconds: 'file backbook.toml',
    answer_cache_mb: 'default',
  })
})

test('a default that follows from another setting follows from what was given', () =>
  expect(readSettings({ file: file({ worker_threads: 5 }) }, 2).values.worker_queue_max).toBe(320))

test.each([
  ['ADMIN_TOKEN', 'short'],
  ['MONITORING_TOKEN', 'short'],
  ['ACCOUNTS_URL', 'mysql://u:hunter2@h/d'],
  ['GAMMA_URL', 'gamma:hunter2'],
  ['STRIPE_SECRET_KEY', 'pk_live_hunter2'],
  ['STRIPE_WEBHOOK_SECRET', 'hunter2'],
  ['STRIPE_API_URL', 'stripe:hunter2'],
])('%s=%s is refused by name, without its value', (name, value) => {
  for (const sources of [{ variables: { [name]: value } }, { file: file({ [name.toLowerCase()]: value }) }]) {
    const message = refusalOf(sources)
    expect(message).toMatch(/^Cannot use [A-Za-z_]+(?: in backbook\.toml)?: accepted is /)
    expect(message).not.toContain(value)
  }
})

test.each([
  [{ variables: { MANAGEMENT_ACCESS: 'yes' } }, 'Cannot use MANAGEMENT_ACCESS "yes": accepted is "open", or not set'],
  [{ variables: { CORS_ORIGINS: 'a.example' } }, 'Cannot use CORS_ORIGINS "a.example": accepted is *, or origins'],
  [{ variables: { CORS_ORIGINS: 'https://a.example/path' } }, 'Cannot use CORS_ORIGINS "https://a.example/path": acc'],
  [{ variables: { WORKER_THREADS: '0' } }, 'Cannot use WORKER_THREADS 0: accepted is a whole number from 1 to 99'],
  [{ variables: { WORKER_QUEUE_MAX: '-1' } }, 'Cannot use WORKER_QUEUE_MAX "-1": accepted is a whole number from 1 to'],
  [{ variables: { ANSWER_CACHE_MB: '1e3' } }, 'Cannot use ANSWER_CACHE_MB "1e3": accepted is a whole number'],
  [{ variables: { SHUTDOWN_SECONDS: 'soon' } }, 'Cannot use SHUTDOWN_SECONDS "soon": accepted is a whole number'],
  [{ flags: { port: '70000' } }, 'Cannot use --port 70000: accepted is a whole number from 0 to 65535'],
  [{ flags: { data: '' } }, 'Cannot use --data "": accepted is the path of a folder'],
  [{ file: file({ port: '8080' }) }, 'Cannot use port in backbook.toml "8080": accepted is a whole number'],
  [{ file: file({ port: 1.5 }) }, 'Cannot use port in backbook.toml 1.5: accepted is a whole number'],
  [{ file: file({ host: { a: 1 } }) }, 'Cannot use host in backbook.toml: accepted is an address'],
])('%j is refused with what was given', (sources, expected) => expect(refusalOf(sources)).toStartWith(expected))

test.each([
  [
    { variables: { BACKBOOK_PROT: '1' } },
    'There is no variable BACKBOOK_PROT: it may have been meant as BACKBOOK_PORT',
  ],
  [{ variables: { BACKBOOK_COLOUR: 'x' } }, 'There is no variable BACKBOOK_COLOUR: those that begin with BACKBOOK_'],
  [{ variables: { ADMIN_TOKN: 'x' } }, 'There is no variable ADMIN_TOKN: it may have been meant as ADMIN_TOKEN'],
  [{ variables: { ADMIN_TOEKN: 'x' } }, 'There is no variable ADMIN_TOEKN: it may have been meant as ADMIN_TOKEN'],
  [
    { file: file({ admin_tokn: 'x' }) },
    'There is no setting "admin_tokn" (in backbook.toml): it may have been meant as',
  ],
  [{ file: file({ server: {} }) }, 'There is no setting "server" (in backbook.toml): see the settings in serve --help'],
  [{ file: file({ constructor: 1 }) }, 'There is no setting "constructor"'],
])('%j is refused by name', (sources, expected) => expect(refusalOf(sources)).toStartWith(expected))

test("other programs' variables, and those of clients of this one, are left alone", () =>
  expect(refusalOf({ variables: { TOKEN: 'x', PORT: 'x', ADMIN: 'x', BACKBOOK_PROT: '', BACKBOOK_URL: 'x' } })).toBe(
    '',
  ))

test('what Kubernetes tells containers of a service named backbook is no setting', () => {
  const variables = {
    BACKBOOK_PORT: 'tcp://10.0.0.7:80',
    BACKBOOK_SERVICE_HOST: '10.0.0.7',
    BACKBOOK_SERVICE_PORT_HTTP: '80',
    BACKBOOK_PORT_80_TCP: 'tcp://10.0.0.7:80',
    BACKBOOK_PORT_80_TCP_ADDR: '10.0.0.7',
  }
  expect(readSettings({ variables }, 1).values.port).toBe(8080)
})

test('all that must be mended is told at once', () =>
  expect(refusalOf({ variables: { BACKBOOK_PORT: 'x', WORKER_THREADS: 'y' } })).toMatch(
    /^Cannot use BACKBOOK_PORT .*; Cannot use WORKER_THREADS .*$/,
  ))
