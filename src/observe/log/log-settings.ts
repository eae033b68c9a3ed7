// The settings of the log. They are separate from the log, so that commands which only read the configuration do not
// load the log.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
export type LogFormat = 'json' | 'text'
