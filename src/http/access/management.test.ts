// Tests the management check as part of an app.

import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { management } from './management.ts'

const app = (address: string) =>
  new Elysia()
    .onError(({ error }) => new Response(String((error as { code?: string }).code), { status: 403 }))
    .use(new Elysia().use(management({ adminToken: null, open: false }, () => address)).get('/keys', () => 'managed'))
    .get('/elsewhere', () => 'not managed')

const ask = async (address: string, path: string) =>
  (await app(address).handle(new Request(`http://localhost${path}`))).text()

test('requests without a body are checked as well', async () => {
  expect(await ask('127.0.0.1', '/keys')).toBe('managed')
  expect(await ask('10.0.0.1', '/keys')).toBe('management_closed')
})

test('the check stays within its group', async () => expect(await ask('10.0.0.1', '/elsewhere')).toBe('not managed'))
