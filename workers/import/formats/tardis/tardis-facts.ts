// What Tardis' files have in common.

export const TARDIS_FACTS = {
  source: 'tardis',
  clock: 'frame',
  order: 'file',
  hashKept: false,
  isRebuilt: true,
  licence: null,
  attribution: 'Tardis.dev',
} as const
