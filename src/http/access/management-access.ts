// Who may manage keys: clients on this machine when there is no admin token, otherwise whoever sends the token.

import { createHash, timingSafeEqual } from 'node:crypto'
import { RequestFailure } from '../server/request-failure.ts'

export type ManagementAccess = { adminToken: string | null; open: boolean }

/** The address of a request's client, null where it is not known. */
export type ClientAddress = (request: Request) => string | null

/** By what proxies, content networks and tunnels say whom they speak for: who sends one of them speaks for somebody, or
 *  wants to seem to. */
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
  const message = 'Keys are managed from the machine of the server, or with an admin token where the server has one'
  throw new RequestFailure('management_closed', message)
}

export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function assertAdminToken(adminToken: string, given: string | null): void {
  if (given === null) {
    throw new RequestFailure('admin_token_missing', 'The admin token is required: accepted is the header x-admin-token')
  }
  if (!isSameSecret(given, adminToken)) {
    throw new RequestFailure('admin_token_wrong', "The header x-admin-token does not hold this server's admin token")
  }
}

/** A client on this machine: its address is, no proxy passed it on, and no web page of elsewhere made a browser send
 *  it (a page's own name may point to this machine, so the Host must be a local name, too). */
export function isLocalClient({ headers }: Request, address: string | null): boolean {
  if (address === null || !isLoopbackHost(address)) return false
  for (const name of headers.keys()) if (FORWARDING_HEADER.test(name)) return false
  // Browsers send no Origin with an image or a link.
  if (headers.get('sec-fetch-site')?.toLowerCase() === 'cross-site') return false
  const host = headers.get('host')
  const origin = headers.get('origin')
  return (host === null || isLoopbackAuthority(host)) && (origin === null || isLoopbackUrl(origin))
}

/** A host as in an address or in a command line: 127.0.0.1, ::1, localhost. */
export function isLoopbackHost(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '')
  return bare === 'localhost' || bare === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(bare)
}

/** A name and maybe a port, nothing else that an address could have. */
const isLoopbackAuthority = (host: string) => /^[\w.:[\]-]+$/.test(host) && isLoopbackUrl(`http://${host}`)

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}
