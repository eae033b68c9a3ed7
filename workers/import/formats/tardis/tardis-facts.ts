// Facts that all files of Tardis share.

export const TARDIS_FACTS = {
  source: 'tardis',
  clock: 'frame',
  order: 'file',
  hashStored: false,
  isRebuilt: true,
  licence: null,
  // Others write such files too, such as our own export, and the files do not name their author.
  attribution: null,
} as const
