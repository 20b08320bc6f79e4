import { rename, rm } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option, type Command } from 'commander'
import type { OperationInput } from '@plimsoll/contract'
import { CliError, usageError } from '../exit-codes.ts'
import { findClusterId } from './find-cluster.ts'
import type { Session } from './session.ts'

type Query = NonNullable<NonNullable<OperationInput<'exportFocus'>>['query']>

type ExportOptions = Omit<Query, 'cluster_id' | 'version'> & {
  cluster?: string
  focusVersion?: Query['version']
  file?: string
}

/** Streams, so that a file may be larger than the memory. */
export function addExportCommand(program: Command, session: Session): void {
  program
    .command('export')
    .summary('Export costs in the format of FOCUS')
    .description('Writes costs as CSV or Parquet in the format of FOCUS, to a file or to standard output.')
    .option('--file <path>', 'write to this file instead of standard output')
    .addOption(new Option('--format <format>', 'file format').choices(['csv', 'parquet']).default('csv'))
    .addOption(new Option('--focus-version <version>', 'version of FOCUS').choices(['1.2', '1.3']))
    .addOption(new Option('--level <level>', 'who has a row').choices(['namespace', 'workload', 'pod']))
    .addOption(new Option('--step <step>', 'length of the charge period').choices(['day', 'hour']))
    .addOption(new Option('--billed <billed>', 'content of BilledCost').choices(['none', 'effective']))
    .option('--tags <labels>', 'labels for the column Tags, comma-separated; team is the team')
    .option('--window <window>', '24h, 7d, 30d, today, month, last_month and others')
    .option('--from <time>', 'start of the window, such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'end of the window')
    .option('--cluster <name>', 'name or ID of a cluster')
    .action(async ({ cluster, focusVersion, file, ...options }: ExportOptions) => {
      if (file === undefined && options.format === 'parquet') throw usageError('Parquet needs a file. Use --file.')
      const { client } = await session.connect()
      const clusterId = cluster === undefined ? undefined : await findClusterId(client, cluster)
      const query = { ...options, version: focusVersion, cluster_id: clusterId } as Query
      const { body } = await client.request('exportFocus', { query })
      if (!body) throw new CliError('The server sent no file.')
      if (file === undefined) await printText(session, body)
      else await writeWhole(resolve(session.deps.workingDirectory, file), body)
    })
}

async function printText(session: Session, body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const { print, drained } = session.deps
  for await (const part of body) {
    print(decoder.decode(part, { stream: true }))
    await drained?.()
  }
  print(decoder.decode())
}

/** The file appears when it is complete. */
async function writeWhole(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const unfinished = `${path}.part`
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(unfinished))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new CliError(`The file was not written: ${error instanceof Error ? error.message : String(error)}`)
  }
}
