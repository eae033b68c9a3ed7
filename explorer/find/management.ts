// Requests a user's keys and usage. The operator decides who has access: clients on the server's machine, holders of
// the admin token, or everyone.

import { signal } from '@preact/signals'
import type { CreatedKey, HourCounts, KeyList, RecentRequests, RevokedKey, Usage } from '../../src/client/backbook.d.ts'
import { askServer } from '../data/ask.ts'
import { DAY_MS } from '../state/shown.ts'

const TOKEN = 'backbook-admin-token'
const USER = 'backbook-user'

/** Stored for the session only. */
export const adminToken = signal(sessionStorage.getItem(TOKEN))
export const user = signal(localStorage.getItem(USER) ?? 'me')

export function useAdminToken(token: string | null): void {
  adminToken.value = token
  if (token === null) sessionStorage.removeItem(TOKEN)
  else sessionStorage.setItem(TOKEN, token)
}

export function useUser(id: string): void {
  user.value = id
  localStorage.setItem(USER, id)
}

export type Key = KeyList['api_keys'][number]
export type UserUsage = { usage: Usage; hours: HourCounts['counts']; recent: RecentRequests['requests'] }
export type NewKey = { name: string; expires_at?: string; scopes?: string }

function manage<T>(method: 'GET' | 'POST' | 'DELETE', path: string, query: Record<string, string>, body?: object) {
  const token = adminToken.peek()
  return askServer<T>(path, query, {
    method,
    headers: {
      ...(token !== null && { 'x-admin-token': token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Returns active keys first, and within each group the newest first. */
export async function keysOf(user_id: string): Promise<Key[]> {
  const { api_keys: keys } = await manage<KeyList>('GET', '/keys', { user_id })
  const rank = ({ status }: Key) => (status === 'active' ? 0 : 1)
  return keys.toSorted((a, b) => rank(a) - rank(b) || b.created_at.localeCompare(a.created_at))
}

export const makeKey = (user_id: string, fields: NewKey) =>
  manage<CreatedKey>('POST', '/keys', {}, { user_id, ...fields })

export const rotateKey = (user_id: string, id: string) =>
  manage<CreatedKey>('POST', `/keys/${encodeURIComponent(id)}/rotate`, { user_id })

export const revokeKey = (user_id: string, id: string) =>
  manage<RevokedKey>('DELETE', `/keys/${encodeURIComponent(id)}`, { user_id })

export async function usageOf(user_id: string, days: number, nowMs: number): Promise<UserUsage> {
  const path = `/user/${encodeURIComponent(user_id)}/requests`
  const range = {
    start_time: new Date(nowMs - days * DAY_MS).toISOString(),
    end_time: new Date(nowMs).toISOString(),
  }
  const [usage, counted, newest] = await Promise.all([
    manage<Usage>('GET', '/usage', { user_id }),
    manage<HourCounts>('GET', `${path}/count/timeframe`, range),
    manage<RecentRequests>('GET', `${path}/recent`, { limit: '10' }),
  ])
  return { usage, hours: counted.counts, recent: newest.requests }
}
