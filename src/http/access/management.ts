// What the management endpoints share: the check of access, and bodies of one small JSON object.

import { Elysia } from 'elysia'
import { readJsonBody } from '../server/limited-body.ts'
import { assertMayManage, type ClientAddress, type ManagementAccess } from './management-access.ts'

/** For the group that uses it. The body is read before the check: it is small, and nothing is done with it. */
export const management = (access: ManagementAccess, clientAddress: ClientAddress) =>
  new Elysia()
    .onParse({ as: 'scoped' }, ({ request }) => readJsonBody(request))
    .onTransform({ as: 'scoped' }, ({ request }) => assertMayManage(access, request, clientAddress(request)))
