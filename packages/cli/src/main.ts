#!/usr/bin/env node
// Only this file reads the environment, standard input and the clock.
import { once } from 'node:events'
import { homedir } from 'node:os'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from './run.ts'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(
  process.argv.slice(2),
  {
    env: process.env,
    homeDirectory: homedir(),
    workingDirectory: process.cwd(),
    print: (output) => void process.stdout.write(output),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
    },
    warn: (message) => void process.stderr.write(message),
    readStdin: () => text(process.stdin),
    now: () => new Date(),
  },
  basename(process.argv[1] ?? ''),
)
