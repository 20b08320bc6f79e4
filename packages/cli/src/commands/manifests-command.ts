import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import type { OperationAnswer, OperationInput } from '@plimsoll/contract'
import { CliError, usageError } from '../exit-codes.ts'
import { requireClusterId } from './find-cluster.ts'
import type { Session } from './session.ts'

type ManifestResult = OperationAnswer<'renderManifests'>
type Body = OperationInput<'renderManifests'>['body']

type ManifestOptions = {
  step?: string
  cluster?: string
  format: string
  directory?: string
  base?: string
  valuesPath?: string
  chart?: string
}

export function addManifestsCommand(program: Command, session: Session): void {
  program
    .command('manifests [ids...]')
    .summary('Create manifests for recommendations or a plan step')
    .description(
      'Prints manifests for recommendations or a plan step, or writes them below a directory. ' +
        'Nothing changes in Plimsoll or in a cluster.',
    )
    .option('--step <id>', 'plan step instead of recommendations')
    .option('--cluster <name>', 'name or ID of the cluster of the plan step')
    .option('--format <format>', 'kustomize, helm, json-patch, strategic-merge or yaml', 'strategic-merge')
    .option('--directory <path>', 'write the files below this directory')
    .option('--base <path>', 'for kustomize: directory of your kustomization')
    .option('--values-path <path>', 'for helm: path of the resources in the values')
    .option('--chart <chart>', 'for helm: chart argument of the commands')
    .action(async (ids: string[], options: ManifestOptions) => {
      const { client } = await session.connect()
      const subject = await subjectOf(session, ids, options)
      const result = await client.renderManifests({ body: { ...subject, ...formatOf(options) } as Body })
      await showManifests(session, result, options.directory)
    })
}

async function subjectOf(
  session: Session,
  ids: readonly string[],
  { step, cluster }: ManifestOptions,
): Promise<object> {
  if (ids.length > 0 === (step !== undefined)) throw usageError('Name recommendations, or a plan step with --step.')
  if (step === undefined) return { recommendation_ids: ids }
  const { client } = await session.connect()
  return { step_id: step, cluster_id: await requireClusterId(client, cluster) }
}

/** The server checks which options belong to the format. */
const formatOf = ({ format, base, valuesPath, chart }: ManifestOptions): object => ({
  format,
  ...(base === undefined ? {} : { kustomize: { base } }),
  ...(valuesPath === undefined && chart === undefined
    ? {}
    : {
        helm: {
          ...(valuesPath === undefined ? {} : { values_path: valuesPath }),
          ...(chart === undefined ? {} : { chart }),
        },
      }),
})

async function showManifests(session: Session, result: ManifestResult, directory: string | undefined): Promise<void> {
  const { print, warn, workingDirectory } = session.deps
  if (directory !== undefined) await writeFiles(resolve(workingDirectory, directory), result)
  if (session.output === 'json' || session.output === 'yaml') await session.showData(result)
  else if (directory === undefined) print(result.manifest)
  else print(result.files.map(({ path }) => `${path}\n`).join(''))
  for (const { message } of result.warnings) warn(`Warning: ${message}\n`)
  for (const { recommendation_id: id, message } of result.skipped) warn(`Skipped ${id}: ${message}\n`)
  for (const { command, description } of result.apply) warn(`Apply: ${description}\n  ${command}\n`)
}

/** The server must not choose a path outside the directory. All paths are checked before the first file is written. */
async function writeFiles(directory: string, { files }: ManifestResult): Promise<void> {
  const targets = files.map(({ path, content }) => ({ path: pathBelow(directory, path), content }))
  for (const { path, content } of targets) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
}

function pathBelow(directory: string, path: string): string {
  const target = resolve(directory, path)
  const below = relative(directory, target)
  if (below === '' || isAbsolute(below) || below.startsWith('..')) {
    throw new CliError(`The server sent a file outside the directory: ${path}. Nothing was written.`)
  }
  return target
}
