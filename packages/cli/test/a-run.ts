import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../src/run.ts'

export type RunOptions = {
  env?: Record<string, string>
  stdin?: string
  home?: string
  stopSignal?: AbortSignal
  onWarning?: (text: string) => void
}

/** Runs the command line in this process, with an empty home directory unless one is given. */
export async function aRun(
  args: readonly string[],
  { env = {}, stdin = '', home, stopSignal, onWarning }: RunOptions = {},
) {
  const directory = home ?? (await aDirectory())
  let output = ''
  let errors = ''
  const exitCode = await run(args, {
    env,
    homeDirectory: directory,
    workingDirectory: directory,
    print: (text) => (output += text),
    warn: (text) => {
      errors += text
      onWarning?.(text)
    },
    readStdin: async () => stdin,
    now: () => new Date(),
    ...(stopSignal ? { stopSignal } : {}),
  })
  return { exitCode, output, errors }
}

export async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'plimsoll-cli-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
