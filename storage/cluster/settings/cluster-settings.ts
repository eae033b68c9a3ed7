// Where a cluster's store lies. Plain data: it is handed to threads. It holds secrets, so nobody prints it.

/** `bucket` and `prefix` are of STORE_URL, `endpoint`, `region` and the keys of the usual AWS variables. */
export type ObjectSettings = {
  bucket: string
  /** Without a slash at its ends; '' for the whole bucket. */
  prefix: string
  /** With scheme and port; null for AWS's own. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
  /** How long one request may take. */
  timeoutMs: number
}

export type CatalogueSettings = {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE */
  url: string
  /** Of PostgreSQL: where the tables lie. */
  schema: string
  /** How long one question may take. */
  timeoutMs: number
}

export type ClusterSettings = {
  objects: ObjectSettings
  catalogue: CatalogueSettings
  /** The folder of the node's own cache, and how many bytes it may take. */
  cacheFolder: string
  cacheBytesMax: number
}
