// Reads the location of a cluster's store from the settings, and writes it back as variables for a process that opens
// the same store.

import { join } from 'node:path'
import type { ClusterSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import { ConfigError } from './config-error.ts'
import type { Settings } from './settings.ts'

const CACHE_FOLDER = 'cache'
/** Most S3-compatible servers other than AWS accept this region. */
const USUAL_REGION = 'us-east-1'
const MB = 2 ** 20
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Returns null for the store in the data folder. Throws ConfigError if settings are missing. */
export function clusterOf(settings: Settings): ClusterSettings | null {
  const { store_url: storeUrl, catalogue_url: catalogueUrl } = settings
  if (storeUrl === undefined && catalogueUrl === undefined) return null
  if (storeUrl === undefined || catalogueUrl === undefined) {
    const [missing, given] = storeUrl === undefined ? ['STORE_URL', 'CATALOGUE_URL'] : ['CATALOGUE_URL', 'STORE_URL']
    throw new ConfigError(`${missing} is not set, and ${given} is: set both for a cluster's store, or neither`)
  }
  const mode = new URL(catalogueUrl).searchParams.get('sslmode') ?? 'disable'
  if (!TLS_MODES.includes(mode)) {
    throw new ConfigError(`sslmode in CATALOGUE_URL must be one of ${TLS_MODES.join(', ')}`)
  }
  const [bucket, prefix] = placeOf(storeUrl)
  const endpoint = settings.aws_endpoint_url?.replace(/\/$/, '') ?? null
  const region = settings.aws_region ?? (endpoint === null ? undefined : USUAL_REGION)
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = settings
  if (region === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(`${missingOf({ region, accessKeyId, secretAccessKey })}: STORE_URL needs them`)
  }
  return {
    objects: {
      ...{ bucket, prefix, endpoint, region, accessKeyId, secretAccessKey },
      sessionToken: settings.aws_session_token ?? null,
      timeoutMs: settings.store_timeout_seconds * 1_000,
    },
    catalogue: {
      url: catalogueUrl,
      schema: settings.catalogue_schema,
      timeoutMs: settings.catalogue_timeout_seconds * 1_000,
    },
    cacheFolder: join(settings.data, CACHE_FOLDER),
    cacheBytesMax: settings.cache_mb * MB,
  }
}

type Variables = Record<string, string>

/** Returns the variables from which another process in the same data folder reads the same settings. They contain
 *  secrets. */
export function clusterVariables(cluster: ClusterSettings | null): Variables {
  if (cluster === null) return {}
  const { objects, catalogue, cacheBytesMax } = cluster
  const { endpoint, sessionToken } = objects
  return {
    STORE_URL: `s3://${objects.bucket}/${objects.prefix}`,
    CATALOGUE_URL: catalogue.url,
    CATALOGUE_SCHEMA: catalogue.schema,
    AWS_REGION: objects.region,
    AWS_ACCESS_KEY_ID: objects.accessKeyId,
    AWS_SECRET_ACCESS_KEY: objects.secretAccessKey,
    ...(endpoint !== null && { AWS_ENDPOINT_URL: endpoint }),
    ...(sessionToken !== null && { AWS_SESSION_TOKEN: sessionToken }),
    CACHE_MB: `${cacheBytesMax / MB}`,
    STORE_TIMEOUT_SECONDS: `${objects.timeoutMs / 1_000}`,
    CATALOGUE_TIMEOUT_SECONDS: `${catalogue.timeoutMs / 1_000}`,
  }
}

/** Splits s3://BUCKET/PREFIX; the prefix has no slash at its ends. */
function placeOf(storeUrl: string): [bucket: string, prefix: string] {
  const [bucket, ...path] = storeUrl.slice('s3://'.length).split('/')
  const names = path.filter((name) => name !== '')
  // Refuse names of dots alone, because some servers treat them as folders.
  if (names.some((name) => /^\.+$/.test(name))) {
    throw new ConfigError(`the prefix of STORE_URL must have no part of only dots, got ${JSON.stringify(storeUrl)}`)
  }
  return [bucket!, names.join('/')]
}

type Needed = { region: string | undefined; accessKeyId: string | undefined; secretAccessKey: string | undefined }

function missingOf({ region, accessKeyId, secretAccessKey }: Needed): string {
  const missing = [
    ...(region === undefined ? ['AWS_REGION, or AWS_ENDPOINT_URL for a server other than AWS'] : []),
    ...(accessKeyId === undefined ? ['AWS_ACCESS_KEY_ID'] : []),
    ...(secretAccessKey === undefined ? ['AWS_SECRET_ACCESS_KEY'] : []),
  ]
  return `not set: ${missing.join('; ')}`
}
