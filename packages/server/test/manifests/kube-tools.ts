import { execFile, execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** The directory that scripts/install-kube-tools writes to. */
const installed = resolve(import.meta.dirname, '../../../../node_modules/.cache/kube-tools')

const { PATH = '', KUBEBUILDER_ASSETS = installed } = process.env

const places = [...PATH.split(delimiter), installed, KUBEBUILDER_ASSETS]

/** Path of the tool. Undefined if it is not installed: its tests are then skipped with a message. */
export function findTool(name: string): string | undefined {
  const found = places.map((place) => join(place, name)).find(isExecutable)
  if (found === undefined) {
    process.stderr.write(
      `SKIPPED: ${name} is neither on the PATH nor in node_modules/.cache/kube-tools (scripts/install-kube-tools)\n`,
    )
  }
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const run = promisify(execFile)

/** Output of the tool; a failure throws with its error output. */
export async function runTool(tool: string, args: readonly string[], cwd?: string): Promise<string> {
  const { stdout } = await run(tool, args, { maxBuffer: 64 * 1024 * 1024, ...(cwd === undefined ? {} : { cwd }) })
  return stdout
}

/** A command line as users paste it, with the installed tools on the PATH. */
export function runShell(command: string, cwd: string, variables: Record<string, string> = {}): string {
  return execFileSync('/bin/sh', ['-c', command], {
    cwd,
    env: shellEnvironment(variables),
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

/** The same for many commands at a time. */
export async function startShell(command: string, cwd: string, variables: Record<string, string>): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', command], { cwd, env: shellEnvironment(variables) })
  return stdout
}

const shellEnvironment = (variables: Record<string, string>) => ({
  ...process.env,
  PATH: places.join(delimiter),
  ...variables,
})

/** Limits concurrency: a machine has few cores. */
export async function mapSome<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results = new Map<number, R>()
  const queue = [...values.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results.set(next[0], await work(next[1]))
  }
  await Promise.all([worker(), worker(), worker()])
  return values.map((_, index) => results.get(index) as R)
}
