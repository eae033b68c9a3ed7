// Decides who may manage keys: clients that send the admin token. If no token is configured: clients on this machine,
// or all clients if `open` is set.

import { createHash, timingSafeEqual } from 'node:crypto'
import { RequestFailure } from '../server/request-failure.ts'

export type ManagementAccess = { adminToken: string | null; open: boolean }

/** Returns the address of a request's client, or null if unknown. */
export type ClientAddress = (request: Request) => string | null

/** Headers with which proxies, CDNs and tunnels name their client. A request with one of them comes from another
 *  machine, or pretends to. */
const FORWARDING_HEADER = new RegExp(
  '^(?:(?:x-)?forwarded(?:-.*)?|via|x-real-ip|(?:x-)?(?:true-|cluster-)?client-ip|cf-.*|cdn-.*|fastly-.*|fly-.*' +
    '|x-original-.*|x-envoy-.*|x-amzn-.*|x-amz-cf-.*|x-azure-.*|x-appengine-.*|x-vercel-.*|tailscale-.*|ngrok-.*)$',
)

export function assertMayManage(access: ManagementAccess, request: Request, address: string | null): void {
  if (access.adminToken !== null) {
    assertAdminToken(access.adminToken, request.headers.get('x-admin-token'))
    return
  }
  if (access.open || isLocalClient(request, address)) return
  const message = 'Only clients on this machine may manage keys, unless the server has an ADMIN_TOKEN'
  throw new RequestFailure('management_closed', message)
}

export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function assertAdminToken(adminToken: string, given: string | null): void {
  if (given === null) {
    throw new RequestFailure('admin_token_missing', 'The admin token is required: send it in the header x-admin-token')
  }
  if (!isSameSecret(given, adminToken)) {
    throw new RequestFailure('admin_token_wrong', "The header x-admin-token is not this server's admin token")
  }
}

/** True if the client's address is of this machine, no proxy forwarded the request, and no foreign web page made a
 *  browser send it. A page's own host name may point to this machine, so the Host must be a local name as well. */
export function isLocalClient({ headers }: Request, address: string | null): boolean {
  if (address === null || !isLoopbackHost(address)) return false
  for (const name of headers.keys()) if (FORWARDING_HEADER.test(name)) return false
  // Browsers send no Origin for an image or a link, so this header is checked too.
  if (headers.get('sec-fetch-site')?.toLowerCase() === 'cross-site') return false
  const host = headers.get('host')
  const origin = headers.get('origin')
  return (host === null || isLoopbackAuthority(host)) && (origin === null || isLoopbackUrl(origin))
}

/** True for a host of this machine, as in a URL or a command line: 127.0.0.1, ::1, localhost. */
export function isLoopbackHost(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '')
  return bare === 'localhost' || bare === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(bare)
}

/** True for a local host with an optional port, and no other part of a URL. */
const isLoopbackAuthority = (host: string) => /^[\w.:[\]-]+$/.test(host) && isLoopbackUrl(`http://${host}`)

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}
