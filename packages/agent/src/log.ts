export type LogLevel = 'info' | 'warn' | 'error'
export type Log = (level: LogLevel, message: string, fields?: object) => void

/** Our tokens in any message, and the value after `Bearer`. */
const secrets = /pl[ak]_[A-Za-z0-9_-]+|Bearer\s+[^\s"]+/g

/** JSON lines, without secrets. */
export function openLog(write: (line: string) => void, now: () => Date): Log {
  return (level, message, fields = {}) => {
    const line = JSON.stringify({ time: now().toISOString(), level, message, ...fields })
    write(`${line.replace(secrets, '***')}\n`)
  }
}
