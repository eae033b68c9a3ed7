// Shared by the management endpoints: the access check, and bodies of one small JSON object.

import { Elysia } from 'elysia'
import { readJsonBody } from '../server/limited-body.ts'
import { assertMayManage, type ClientAddress, type ManagementAccess } from './management-access.ts'

/** Applies to the group that uses this plugin. Reads the body before the access check: a body is small, and is not used
 *  before the check. */
export const management = (access: ManagementAccess, clientAddress: ClientAddress) =>
  new Elysia()
    .onParse({ as: 'scoped' }, ({ request }) => readJsonBody(request))
    .onTransform({ as: 'scoped' }, ({ request }) => assertMayManage(access, request, clientAddress(request)))
