// long: a round of each topic
// Goal: clients at their worst, a few rounds of each topic.

import { smokeOf } from '../smoke.ts'

await smokeOf(['http-fuzz', 'leavers', 'odd-requests', 'slow-clients', 'many-connections'])
