import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CliDeps } from '../cli-deps.ts'
import { usageError } from '../exit-codes.ts'

/** A server, and where its API key is. The file never contains a key. */
export type Context = {
  readonly name: string
  readonly server: string
  readonly key_file?: string
  /** A program and its arguments; the program prints the API key. */
  readonly key_command?: readonly string[]
}

export type Config = { readonly current: string | undefined; readonly contexts: readonly Context[] }

/** Only the user may read the configuration. */
const privateFile = 0o600
const privateDirectory = 0o700

const directoryOf = ({ env, homeDirectory }: CliDeps): string => {
  const base = env.XDG_CONFIG_HOME
  return join(base === undefined || base === '' ? join(homeDirectory, '.config') : base, 'plimsoll')
}

export const configPath = (deps: CliDeps): string => join(directoryOf(deps), 'config.yaml')
export const keyPath = (deps: CliDeps, name: string): string => join(directoryOf(deps), 'keys', name)

export async function readConfig(deps: CliDeps): Promise<Config> {
  const path = configPath(deps)
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw usageError(`${path} cannot be read: ${error.message}.`)
  })
  return configOf(path, content === '' ? undefined : await parsed(path, content))
}

/** The YAML code is loaded on demand, for a fast start. */
async function parsed(path: string, content: string): Promise<unknown> {
  const { parse } = await import('../output/yaml.ts')
  try {
    return parse(content) as unknown
  } catch (error) {
    throw usageError(`${path} is not valid YAML: ${(error as Error).message}`)
  }
}

function configOf(path: string, value: unknown): Config {
  if (value === null || value === undefined) return { current: undefined, contexts: [] }
  const { current, contexts = [] } = value as { current?: unknown; contexts?: unknown }
  if (!Array.isArray(contexts) || !contexts.every(isContext)) {
    throw usageError(`${path}: each entry of "contexts" needs a name and a server. Create one with "plimsoll login".`)
  }
  return { current: typeof current === 'string' ? current : undefined, contexts }
}

function isContext(value: unknown): value is Context {
  if (typeof value !== 'object' || value === null) return false
  const { name, server, key_file: file, key_command: command } = value as Record<string, unknown>
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((each) => typeof each === 'string')
  return (
    typeof name === 'string' &&
    typeof server === 'string' &&
    (file === undefined || typeof file === 'string') &&
    (command === undefined || isCommand)
  )
}

export async function writeConfig(deps: CliDeps, config: Config): Promise<void> {
  const { stringify } = await import('../output/yaml.ts')
  await writePrivate(configPath(deps), stringify(config))
}

/** Replaces the file atomically. */
export async function writePrivate(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, content, { mode: privateFile })
  // The mode of writeFile does not apply to an existing file.
  await chmod(unfinished, privateFile)
  await rename(unfinished, path)
}
