// The settings of the log, apart from the log itself, which commands that read the configuration do not load.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
export type LogFormat = 'json' | 'text'
