// The list of plans.

import { expect, test } from 'bun:test'
import { DEFAULT_PLAN, PLANS } from '../../../src/accounts/plans.ts'

test('the plan of new users is one of the plans', () => expect(PLANS).toContain(DEFAULT_PLAN))
