// The environment of a child process that the server starts for a task, without the server's own settings, which
// include its tokens and passwords. The child gets the settings that it needs as flags, and a cluster's store with its
// secrets as variables, which no other user of the machine can read.

import type { ClusterSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import { clusterVariables } from './cluster-config.ts'
import { CONFIG_VARIABLE, SETTING_NAMES, settingOf, variablesOf } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** With this variable, systemd would take the child's messages for the service's. */
const NOTIFY = 'NOTIFY_SOCKET'
const OWN = new Set([CONFIG_VARIABLE, NOTIFY, ...SETTING_NAMES.flatMap((name) => variablesOf(settingOf(name)))])

/** `cluster`: the store that the child opens; null for the one in a data folder. */
export const childEnvironment = (
  variables: Variables,
  cluster: ClusterSettings | null = null,
): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(variables).filter(([name]) => !OWN.has(name))),
  ...clusterVariables(cluster),
})
