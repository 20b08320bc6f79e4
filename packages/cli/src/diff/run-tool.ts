import { execFile } from 'node:child_process'
import { CliError, usageError } from '../exit-codes.ts'

const outputBytesMax = 256 * 1024 * 1024
const msMax = 120_000

export type ToolOptions = { cwd: string; env: Readonly<Record<string, string | undefined>> }

/** The output of a tool of the user. A missing tool and a failed tool have different messages. */
export function runTool(tool: string, args: readonly string[], { cwd, env }: ToolOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(tool, args, { cwd, env, maxBuffer: outputBytesMax, timeout: msMax }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if (error.code === 'ENOENT') return reject(usageError(`${tool} is not installed, or is not in PATH.`))
      const [command = ''] = args
      const reason = stderr.trim() === '' ? error.message : stderr.trim()
      reject(new CliError(`${tool} ${command} failed: ${reason}`))
    })
  })
}
