// Every response carries `x-request-id`: the one the client sent where it is sane, else a new one.

import { Elysia } from 'elysia'

const SANE = /^[A-Za-z0-9._-]{1,128}$/

export const requestIds = () =>
  new Elysia({ name: 'request-ids' }).onRequest(({ request, set }) => {
    const given = request.headers.get('x-request-id')
    set.headers['x-request-id'] = given !== null && SANE.test(given) ? given : crypto.randomUUID()
  })
