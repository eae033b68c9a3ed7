// Facts that all files of Tardis share.

export const TARDIS_FACTS = {
  source: 'tardis',
  clock: 'frame',
  order: 'file',
  hashStored: false,
  isRebuilt: true,
  licence: null,
  // Other authors write such files too, and so does our own export. The files do not name their author.
  attribution: null,
} as const
