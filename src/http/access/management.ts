// What the management endpoints share: their access check, and bodies that are one small JSON object.

import { Elysia } from 'elysia'
import { readJsonBody } from '../server/limited-body.ts'
import { assertMayManage, type ClientAddress, type ManagementAccess } from './management-access.ts'

/** For the group it is used in. The body is read first, but it is small, and nothing is done with it. */
export const management = (access: ManagementAccess, clientAddress: ClientAddress) =>
  new Elysia()
    .onParse({ as: 'scoped' }, ({ request }) => readJsonBody(request))
    .onTransform({ as: 'scoped' }, ({ request }) => assertMayManage(access, request, clientAddress(request)))
