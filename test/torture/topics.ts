// The topics of the torture, by name.

import type { TortureTopic } from './topic.ts'

export const TORTURE_TOPICS: Readonly<Record<string, () => Promise<{ topic: TortureTopic }>>> = {}
