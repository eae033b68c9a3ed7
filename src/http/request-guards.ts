// What is refused before a route is looked for: bodies that are too long, and HEAD where only GET has a meaning.

import { Elysia } from 'elysia'
import { assertLengthFits } from './limited-body.ts'
import { methodNotAllowed } from './problem.ts'
import { pathOf } from './request-path.ts'
import { isGetOnly } from './route-table.ts'

export const requestGuards = () =>
  new Elysia({ name: 'request-guards' }).onRequest(({ request }) => {
    if (request.method === 'GET') return
    assertLengthFits(request)
    if (request.method !== 'HEAD') return
    const pathname = pathOf(request.url)
    if (isGetOnly(pathname)) throw methodNotAllowed('HEAD', pathname, ['GET'])
  })
