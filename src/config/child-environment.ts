// The environment of a process that the server starts for a task: without what the server alone was told. Its tokens
// and passwords are among that. What such a process needs of the settings, it gets as flags.

import { CONFIG_VARIABLE, SETTING_NAMES, settingOf } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** To systemd the child would speak for the service. */
const NOTIFY = 'NOTIFY_SOCKET'
const OWN = new Set([CONFIG_VARIABLE, NOTIFY, ...SETTING_NAMES.map((name) => settingOf(name).variable)])

export const childEnvironment = (variables: Variables): Record<string, string | undefined> =>
  // OTEL_EXPORTER_OTLP_HEADERS is read by a package, and may hold a token.
  Object.fromEntries(Object.entries(variables).filter(([name]) => !OWN.has(name) && !name.startsWith('OTEL_')))
