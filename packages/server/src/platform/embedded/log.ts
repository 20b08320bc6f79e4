type LogLine = (fields: object, message: string) => void

export type Log = { info: LogLine; warn: LogLine; error: LogLine }
