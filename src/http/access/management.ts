// Shared by the management endpoints: the access check, and bodies of one small JSON object.

import { Elysia } from 'elysia'
import { readJsonBody } from '../server/limited-body.ts'
import { assertMayManage, type ClientAddress, type ManagementAccess } from './management-access.ts'

/** Applies to the group that uses it. Reads the body before the access check: it is small and not used until then. */
export const management = (access: ManagementAccess, clientAddress: ClientAddress) =>
  new Elysia()
    .onParse({ as: 'scoped' }, ({ request }) => readJsonBody(request))
    .onTransform({ as: 'scoped' }, ({ request }) => assertMayManage(access, request, clientAddress(request)))
