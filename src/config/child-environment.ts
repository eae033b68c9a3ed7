// The environment of a child process of the server. It omits the server's settings, which include tokens and
// passwords. The child gets the settings that it needs as flags. It gets the settings of a cluster's store as
// variables: they include secrets, and no other user of the machine can read variables.

import type { ClusterSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import { clusterVariables } from './cluster-config.ts'
import { CONFIG_VARIABLE, SETTING_NAMES, settingOf, variablesOf } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The child must not get this variable: systemd would take its messages for the service's. */
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
