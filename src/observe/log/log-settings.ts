// How the log can be set up. Apart from the log itself, which commands that read the configuration do not need.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
export type LogFormat = 'json' | 'text'
