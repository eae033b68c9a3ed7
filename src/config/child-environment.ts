// The environment of a process that the server starts for a task: without what the server alone was told. Its tokens
// and passwords are among that. What such a process needs of the settings, it gets as flags; where a cluster's store
// lies, with its secrets, as variables, which nobody else on the machine can read.

import type { ClusterSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import { clusterVariables } from './cluster-config.ts'
import { CONFIG_VARIABLE, SETTING_NAMES, settingOf, variablesOf } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** To systemd the child would speak for the service. */
const NOTIFY = 'NOTIFY_SOCKET'
const OWN = new Set([CONFIG_VARIABLE, NOTIFY, ...SETTING_NAMES.flatMap((name) => variablesOf(settingOf(name)))])

/** `cluster`: the store that it is to open; null where that is in a data folder. */
export const childEnvironment = (
  variables: Variables,
  cluster: ClusterSettings | null = null,
): Record<string, string | undefined> => ({
  // OTEL_EXPORTER_OTLP_HEADERS is read by a package, and may hold a token.
  ...Object.fromEntries(Object.entries(variables).filter(([name]) => !OWN.has(name) && !name.startsWith('OTEL_'))),
  ...clusterVariables(cluster),
})
