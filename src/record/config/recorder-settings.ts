// Settings of record.toml that stand above its sections: the recorder itself, its segments and its loading.

import { Type } from '@sinclair/typebox'
import { decimal, optionalText, whole, yesOrNo } from './setting-kinds.ts'

export const RECORDER_SETTINGS = Type.Object(
  {
    recorder_id: optionalText(
      { pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$', accepts: 'up to 32 small letters, digits and hyphens' },
      {
        otherwise: 'the name of this machine',
        description: 'name of this recorder, in the names of its segments; two recorders must differ in it',
      },
    ),
    group: optionalText(
      { pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$', accepts: 'up to 32 small letters, digits and hyphens' },
      {
        otherwise: 'main',
        description: 'in a cluster: recorders of one group share its markets, those of another record them once more',
      },
    ),
    commit_seconds: decimal(0.1, 600, {
      unlessGiven: 5,
      description: 'how often what was received is committed to the store',
    }),
    retention_days: whole(0, 36_500, {
      unlessGiven: 30,
      description: 'days that segments are kept after they are loaded; 0 keeps them for ever',
    }),
    disk_free_mb: whole(0, 1_000_000_000, {
      unlessGiven: 1_024,
      description: 'free room on the disk below which no new markets are taken',
    }),
    replay_times: yesOrNo({
      unlessGiven: true,
      description: 'record what a replay sends at the times that it had; false records it as of now, as from a venue',
    }),
  },
  { additionalProperties: false },
)
