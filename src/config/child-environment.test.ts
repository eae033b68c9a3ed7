// Tests which environment variables a process gets from the server that starts it.

import { expect, test } from 'bun:test'
import { childEnvironment } from './child-environment.ts'

test('a child gets no settings and no secrets of the server', () => {
  const own = {
    ADMIN_TOKEN: 'admin-secret',
    MONITORING_TOKEN: 'monitoring-secret',
    STRIPE_SECRET_KEY: 'sk_1',
    ACCOUNTS_URL: 'postgres://user:password@db/x',
    BACKBOOK_DATA: 'data',
    BACKBOOK_CONFIG: 'backbook.toml',
    NOTIFY_SOCKET: '/run/systemd/notify',
  }
  const others = { PATH: '/bin', HTTPS_PROXY: 'http://proxy', KALSHI_KEY_ID: 'id', KALSHI_PRIVATE_KEY: 'key' }
  expect(childEnvironment({ ...own, ...others })).toEqual(others)
})
