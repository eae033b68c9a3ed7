// Tests settings: which source wins, what is refused, and that refusals do not repeat a secret.

import { expect, test } from 'bun:test'
import { readSettings, type SettingSources } from './read-settings.ts'

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

test('a default that depends on another setting uses the value given for it', () =>
  expect(readSettings({ file: file({ store_url: 's3://bucket' }) }, 2).values.drain_seconds).toBe(5))

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
    expect(message).toMatch(/^[A-Za-z_]+(?: in backbook\.toml)? must be /)
    expect(message).not.toContain(value)
  }
})

test.each([
  [{ variables: { MANAGEMENT_ACCESS: 'yes' } }, 'MANAGEMENT_ACCESS must be "open" or not set, got "yes"'],
  [
    { variables: { CORS_ORIGINS: 'a.example' } },
    'CORS_ORIGINS must be *, or origins such as https://charts.example.com, separated by commas, got "a.example"',
  ],
  [{ variables: { CORS_ORIGINS: 'https://a.example/path' } }, 'CORS_ORIGINS must be *, or origins such as'],
  [{ variables: { WORKER_THREADS: '0' } }, 'WORKER_THREADS must be a whole number from 1 to 99, got 0'],
  [{ variables: { CONNECTIONS_MAX: '-1' } }, 'CONNECTIONS_MAX must be a whole number from 1 to 99999, got "-1"'],
  [{ variables: { ANSWER_CACHE_MB: '1e3' } }, 'ANSWER_CACHE_MB must be a whole number from 0 to 999999, got "1e3"'],
  [{ variables: { SHUTDOWN_SECONDS: 'soon' } }, 'SHUTDOWN_SECONDS must be a whole number from 0 to 9999, got "soon"'],
  [{ flags: { port: '70000' } }, '--port must be a whole number from 0 to 65535, got 70000'],
  [{ flags: { data: '' } }, '--data must be the path of a folder, got ""'],
  [
    { file: file({ port: '8080' }) },
    'port in backbook.toml must be a whole number from 0 to 65535 without quotes, got "8080"',
  ],
  [{ file: file({ port: 1.5 }) }, 'port in backbook.toml must be a whole number from 0 to 65535, got 1.5'],
  [{ file: file({ host: { a: 1 } }) }, 'host in backbook.toml must be an address'],
])('%j is refused, and the error shows what was given', (sources, expected) =>
  expect(refusalOf(sources)).toStartWith(expected),
)

test.each([
  [{ variables: { BACKBOOK_PROT: '1' } }, 'unknown variable BACKBOOK_PROT: did you mean BACKBOOK_PORT?'],
  [
    { variables: { BACKBOOK_COLOUR: 'x' } },
    'unknown variable BACKBOOK_COLOUR: variables that begin with BACKBOOK_ are',
  ],
  [{ variables: { ADMIN_TOKN: 'x' } }, 'unknown variable ADMIN_TOKN: did you mean ADMIN_TOKEN?'],
  [{ variables: { ADMIN_TOEKN: 'x' } }, 'unknown variable ADMIN_TOEKN: did you mean ADMIN_TOKEN?'],
  [{ file: file({ admin_tokn: 'x' }) }, 'unknown setting "admin_tokn" in backbook.toml: did you mean admin_token?'],
  [{ file: file({ server: {} }) }, 'unknown setting "server" in backbook.toml: serve --help lists the settings'],
  [{ file: file({ constructor: 1 }) }, 'unknown setting "constructor"'],
])('%j is refused by name', (sources, expected) => expect(refusalOf(sources)).toStartWith(expected))

test("other programs' variables, and those of clients of this one, are left alone", () =>
  expect(
    refusalOf({
      variables: { TOKEN: 'x', PORT: 'x', ADMIN: 'x', BACKBOOK_PROT: '', BACKBOOK_URL: 'x', BACKBOOK_KEY: 'x' },
    }),
  ).toBe(''))

test('ignores the variables that Kubernetes sets for a service named backbook', () => {
  const variables = {
    BACKBOOK_PORT: 'tcp://10.0.0.7:80',
    BACKBOOK_SERVICE_HOST: '10.0.0.7',
    BACKBOOK_SERVICE_PORT_HTTP: '80',
    BACKBOOK_PORT_80_TCP: 'tcp://10.0.0.7:80',
    BACKBOOK_PORT_80_TCP_ADDR: '10.0.0.7',
  }
  expect(readSettings({ variables }, 1).values.port).toBe(8080)
})

test('reports all errors at once', () =>
  expect(refusalOf({ variables: { BACKBOOK_PORT: 'x', WORKER_THREADS: 'y' } })).toMatch(
    /^BACKBOOK_PORT must be .*; WORKER_THREADS must be .*$/,
  ))
