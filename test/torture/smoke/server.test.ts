// long: a round of each topic
// Goal: a few rounds of each topic about misbehaving clients.

import { smokeOf } from '../smoke.ts'

await smokeOf(['http-fuzz', 'leavers', 'odd-requests', 'slow-clients', 'many-connections'])
