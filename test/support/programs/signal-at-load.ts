// A preload of the program. Sends it the signal SIGNAL when it loads the module whose path ends with SIGNAL_AT.

import { plugin } from 'bun'

const { SIGNAL, SIGNAL_AT } = process.env

plugin({
  name: 'signal at load',
  setup(build) {
    build.onLoad({ filter: new RegExp(`${SIGNAL_AT}$`) }, async ({ path }) => {
      process.kill(process.pid, SIGNAL as NodeJS.Signals)
      return { contents: await Bun.file(path).text(), loader: 'ts' }
    })
  },
})
