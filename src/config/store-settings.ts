// The settings of a store that many nodes share: the location of its objects and its catalogue, and a node's cache of
// them.

import { optionalText, text, whole } from './setting-kinds.ts'

const SECRET = { minLength: 1, placeholder: '<secret>', secret: 'all', unlessGiven: null } as const

const hasHost = (address: string) => URL.canParse(address) && new URL(address).hostname !== ''

export const STORE_SETTINGS = {
  store_url: optionalText({
    variable: 'STORE_URL',
    placeholder: '<url>',
    pattern: '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]*)?$',
    accepts: 's3://BUCKET/PREFIX, where the bucket has 3 to 63 lower-case letters, digits, dots and hyphens',
    unlessGiven: null,
    otherwise: 'the store in the data folder',
    description: 'bucket of an S3-compatible store that holds the data of all nodes; needs CATALOGUE_URL',
  }),
  catalogue_url: optionalText({
    variable: 'CATALOGUE_URL',
    placeholder: '<url>',
    pattern: '^(postgres|postgresql)://.+',
    isAccepted: hasHost,
    accepts: 'postgres://USER:PASSWORD@HOST/DATABASE',
    unlessGiven: null,
    secret: 'password',
    description: 'PostgreSQL with the catalogue of STORE_URL',
  }),
  catalogue_schema: text({
    variable: 'CATALOGUE_SCHEMA',
    placeholder: '<name>',
    pattern: '^[a-z_][a-z0-9_]{0,62}$',
    accepts: 'a name of up to 63 lower-case letters, digits and underscores',
    unlessGiven: 'backbook',
    description: 'schema of the catalogue in its database; one for each store',
  }),
  aws_endpoint_url: optionalText({
    variable: 'AWS_ENDPOINT_URL',
    placeholder: '<url>',
    pattern: '^https?://[^/?#@]+/?$',
    isAccepted: hasHost,
    accepts: 'an http or https address such as https://s3.example.com:9000',
    unlessGiven: null,
    otherwise: "AWS's own",
    description: 'server of STORE_URL',
  }),
  aws_region: optionalText({
    variable: 'AWS_REGION',
    otherVariable: 'AWS_DEFAULT_REGION',
    placeholder: '<region>',
    pattern: '^[A-Za-z0-9-]+$',
    accepts: 'the name of a region such as eu-central-1',
    unlessGiven: null,
    otherwise: 'us-east-1, with an AWS_ENDPOINT_URL',
    description: 'region of the bucket; AWS_DEFAULT_REGION is read if it is not set',
  }),
  aws_access_key_id: optionalText({
    ...SECRET,
    variable: 'AWS_ACCESS_KEY_ID',
    accepts: 'the id of an access key',
    description: 'key that STORE_URL is read and written with',
  }),
  aws_secret_access_key: optionalText({
    ...SECRET,
    variable: 'AWS_SECRET_ACCESS_KEY',
    accepts: 'the secret of an access key',
    description: 'secret of that key',
  }),
  aws_session_token: optionalText({
    ...SECRET,
    variable: 'AWS_SESSION_TOKEN',
    accepts: 'the token of a session',
    description: 'session token of that key, if it has one',
  }),
  cache_mb: whole({
    variable: 'CACHE_MB',
    placeholder: '<megabytes>',
    minimum: 16,
    maximum: 99_999_999,
    unlessGiven: 4_096,
    description: 'room in the data folder for what a node has read of STORE_URL; the oldest is removed',
  }),
  store_timeout_seconds: whole({
    variable: 'STORE_TIMEOUT_SECONDS',
    placeholder: '<seconds>',
    minimum: 1,
    maximum: 600,
    unlessGiven: 10,
    description: 'how long one try of a request to STORE_URL may take; a request ends after three times that',
  }),
  catalogue_timeout_seconds: whole({
    variable: 'CATALOGUE_TIMEOUT_SECONDS',
    placeholder: '<seconds>',
    minimum: 1,
    maximum: 600,
    unlessGiven: 5,
    description: 'how long one query to CATALOGUE_URL may take',
  }),
}
