// The location of a cluster's store. Plain data, so that it can be sent to threads. It contains secrets: never print
// it.

/** Settings of the bucket. `bucket` and `prefix` come from STORE_URL; `endpoint`, `region` and the keys come from the
 *  usual AWS variables. */
export type ObjectSettings = {
  bucket: string
  /** Without a slash at either end; '' for the whole bucket. */
  prefix: string
  /** With scheme and port; null for AWS itself. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
  /** Time limit of one request, ms. */
  timeoutMs: number
}

export type CatalogueSettings = {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE */
  url: string
  /** The PostgreSQL schema that holds the tables. */
  schema: string
  /** Time limit of one query, ms. */
  timeoutMs: number
}

export type ClusterSettings = {
  objects: ObjectSettings
  catalogue: CatalogueSettings
  /** The folder of the node's cache, and the cache's largest size in bytes. */
  cacheFolder: string
  cacheBytesMax: number
}
