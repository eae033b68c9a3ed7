// Runs the recorder as a process, like `backbook record`. FILE may also set fields of the configuration for which
// record.toml has no setting: `bun recorder-main.ts FOLDER FILE`. Environment variables name the store.

import { stopSignal } from '../../../src/commands/server/stop-signal.ts'
import { configOf } from '../../../src/commands/settings.ts'
import { logOf } from '../../../src/observe/server-watch.ts'
import { startRecorderProcess } from '../../../src/record/process/recorder-process.ts'
import { type ConfigTable, recordConfig } from '../record/record-config.ts'

const [folder, file] = process.argv.slice(2) as [string, string]
const stopped = stopSignal()
const own = configOf({ data: folder })
const recorder = startRecorderProcess({
  folder,
  cluster: own.cluster,
  config: recordConfig((await Bun.file(file).json()) as ConfigTable),
  log: logOf(own),
  endsWithVenues: false,
})
await stopped
await recorder.stop()
process.exit()
