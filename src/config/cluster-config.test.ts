// Tests where a cluster's store is, and refusals that name what is missing.

import { expect, test } from 'bun:test'
import { childEnvironment } from './child-environment.ts'
import { clusterVariables } from './cluster-config.ts'
import { readConfig } from './config.ts'

const SECRET = 'hunter2'
const USUAL = {
  STORE_URL: 's3://books/all/of/it/',
  CATALOGUE_URL: `postgres://backbook:${SECRET}@db.example/backbook`,
  AWS_ENDPOINT_URL: 'http://store.example:9000/',
  AWS_ACCESS_KEY_ID: 'key-id',
  AWS_SECRET_ACCESS_KEY: `secret-${SECRET}`,
}
const read = (variables: Record<string, string>) => readConfig({ variables }, 1)

test('a store of many nodes, with default settings', () =>
  expect(read({ ...USUAL, BACKBOOK_DATA: '/node' })).toMatchObject({
    cluster: {
      objects: {
        bucket: 'books',
        prefix: 'all/of/it',
        endpoint: 'http://store.example:9000',
        region: 'us-east-1',
        accessKeyId: 'key-id',
        secretAccessKey: USUAL.AWS_SECRET_ACCESS_KEY,
        sessionToken: null,
        timeoutMs: 10_000,
      },
      catalogue: { url: USUAL.CATALOGUE_URL, schema: 'backbook', timeoutMs: 5_000 },
      cacheFolder: '/node/cache',
      cacheBytesMax: 4_096 * 2 ** 20,
    },
    drainMs: 5_000,
  }))

test('the nodes of a cluster share the accounts, by default in the database of the catalogue', () => {
  expect(read(USUAL).accountsUrl).toBe(USUAL.CATALOGUE_URL)
  expect(read({ ...USUAL, ACCOUNTS_URL: 'postgres://other/accounts' }).accountsUrl).toBe('postgres://other/accounts')
})

test.each([
  ['s3://books', ''],
  ['s3://books/', ''],
  ['s3://books//a//b', 'a/b'],
])('the prefix of %p is %p', (url, prefix) =>
  expect(read({ ...USUAL, STORE_URL: url }).cluster?.objects.prefix).toBe(prefix),
)

test('the region has two names, and the first that is set counts', () => {
  const { AWS_ENDPOINT_URL: _, ...atAws } = USUAL
  const region = (given: Record<string, string>) => read({ ...atAws, ...given }).cluster?.objects.region
  expect(region({ AWS_DEFAULT_REGION: 'eu-west-1' })).toBe('eu-west-1')
  expect(region({ AWS_DEFAULT_REGION: 'eu-west-1', AWS_REGION: 'eu-central-1' })).toBe('eu-central-1')
})

const without = (...names: (keyof typeof USUAL)[]) =>
  Object.fromEntries(Object.entries(USUAL).filter(([name]) => !names.some((each) => each === name)))

test.each([
  [without('STORE_URL'), "STORE_URL is not set, and CATALOGUE_URL is: set both for a cluster's store, or neither"],
  [without('CATALOGUE_URL'), "CATALOGUE_URL is not set, and STORE_URL is: set both for a cluster's store, or neither"],
  [without('AWS_ACCESS_KEY_ID'), 'not set: AWS_ACCESS_KEY_ID: STORE_URL needs them'],
  [
    without('AWS_ENDPOINT_URL', 'AWS_SECRET_ACCESS_KEY'),
    'not set: AWS_REGION, or AWS_ENDPOINT_URL for a server other than AWS; AWS_SECRET_ACCESS_KEY: STORE_URL needs',
  ],
  [{ ...USUAL, STORE_URL: 's3://bb/x' }, 'STORE_URL must be s3://BUCKET/PREFIX, where the bucket has 3 to 63'],
  [{ ...USUAL, STORE_URL: 's3://Books' }, 'lower-case letters, digits, dots and hyphens, got "s3://Books"'],
  [{ ...USUAL, STORE_URL: 'https://books' }, 'STORE_URL must be s3://BUCKET/PREFIX'],
  [{ ...USUAL, STORE_URL: 's3://books/../other' }, 'the prefix of STORE_URL must have no part of only dots, got'],
  [{ ...USUAL, CATALOGUE_URL: `mysql://u:${SECRET}@h/d` }, 'CATALOGUE_URL must be postgres://USER:PASSWORD@HOST'],
  [{ ...USUAL, CATALOGUE_URL: `postgres://u:${SECRET}@h:99999/d` }, 'CATALOGUE_URL must be postgres://USER:PASSWORD'],
  [{ ...USUAL, CATALOGUE_SCHEMA: 'Other' }, 'CATALOGUE_SCHEMA must be a name of up to 63 lower-case letters'],
  [{ ...USUAL, AWS_ENDPOINT_URL: 'store.example' }, 'AWS_ENDPOINT_URL must be an http or https address such as'],
  [{ ...USUAL, AWS_ENDPOINT_URL: 'http://:9000' }, 'AWS_ENDPOINT_URL must be an http or https address such as'],
])('%# is refused', (variables, message) => {
  expect(() => read(variables as Record<string, string>)).toThrow(message)
  expect(() => read(variables as Record<string, string>)).not.toThrow(SECRET)
})

test("variables of AWS alone change nothing: they are other programs' too", () => {
  const { STORE_URL: _, CATALOGUE_URL: __, ...ofAws } = USUAL
  expect(read(ofAws).cluster).toBeNull()
})

test.each([
  USUAL,
  { ...USUAL, AWS_SESSION_TOKEN: 'token', CACHE_MB: '64', CATALOGUE_SCHEMA: 'b', STORE_URL: 's3://abc' },
])('the variables of a child make the same store: %#', (variables) => {
  const { cluster } = read(variables)
  expect(read(clusterVariables(cluster)).cluster).toEqual(cluster)
  expect(read(childEnvironment({ ...variables, PATH: '/bin' }, cluster) as typeof variables).cluster).toEqual(cluster)
  expect(childEnvironment({ ...variables, AWS_DEFAULT_REGION: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' })
})
