import { access } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Estimate } from '@plimsoll/contract'
import { estimateWorkloadsMax } from '@plimsoll/contract'
import { requireClusterId } from '../commands/find-cluster.ts'
import type { Session } from '../commands/session.ts'
import { exitCodes, usageError } from '../exit-codes.ts'
import { visible } from '../output/cells.ts'
import { withBaseTree } from './base-tree.ts'
import { compareSides, type Comparison } from './compare-sides.ts'
import { commentMarker, listNotes, presentDiff, type DiffReport } from './diff-report.ts'
import { judge, judgeRatchet, type Policies } from './policies.ts'
import { readWorkloads, type ManifestWorkload } from './read-workloads.ts'
import { renderSide, type Sources } from './render-side.ts'

export type DiffOptions = {
  filename?: string[]
  kustomize?: string
  values?: string[]
  base?: string
  cluster?: string
  namespace: string
}

/** The cost of a change of manifests. With policies, a broken one is exit code 3. */
export async function diff(session: Session, options: DiffOptions, policies?: Policies): Promise<void> {
  const { head, comparison } = await readSides(session, options)
  const { workloads, unchanged } = comparison
  if (workloads.length > estimateWorkloadsMax) {
    throw usageError(
      `${workloads.length} workloads differ; an estimate has at most ${estimateWorkloadsMax}. Use --base, or name a smaller directory.`,
    )
  }
  const { client } = await session.connect()
  const clusterId = await requireClusterId(client, options.cluster)
  const estimate: Estimate =
    workloads.length === 0
      ? nothingChanged(clusterId, session.deps.now())
      : await client.estimateChange({ body: { cluster_id: clusterId, workloads } })
  const changed = workloads.flatMap(({ namespace, kind, name }) => head.get(`${namespace}/${kind}/${name}`) ?? [])
  const violations = policies ? judge(policies, { estimate, workloads: changed }) : []
  if (policies?.ratchet) {
    violations.push(...(await judgeRatchet(client, { clusterId, workloads: changed, now: session.deps.now() })))
  }
  await show(session, { ...estimate, unchanged_workloads: unchanged, violations })
}

async function show(session: Session, report: DiffReport): Promise<void> {
  const { deps, output } = session
  const isMarkdown = output === 'markdown'
  if (isMarkdown) deps.print(`${commentMarker}\n### Cost of this change\n\n`)
  await session.show(report, () => presentDiff(report))
  const notes = listNotes(report).map(visible)
  const violations = report.violations.map(visible)
  if (isMarkdown) {
    if (violations.length > 0) deps.print(`\n**Policies that this change breaks**\n\n${listOf(violations)}`)
    if (notes.length > 0) deps.print(`\n<details><summary>Notes</summary>\n\n${listOf(notes)}\n</details>\n`)
  } else for (const note of notes) deps.warn(`Note: ${note}\n`)
  for (const violation of violations) deps.warn(`Policy: ${violation}\n`)
  if (violations.length > 0) session.exitCode = exitCodes.policy
}

const listOf = (lines: readonly string[]) =>
  lines.map((line) => `- ${line.replaceAll(/[\\|*_<>[\]]/g, '\\$&')}\n`).join('')

type Sides = { head: ReadonlyMap<string, ManifestWorkload>; comparison: Comparison }

async function readSides(session: Session, options: DiffOptions): Promise<Sides> {
  const { deps } = session
  const { filename = [], kustomize, values = [], base, namespace } = options
  if (filename.length === 0 && kustomize === undefined)
    throw usageError('Name manifests with -f, or a kustomization with -k.')
  const tool = { cwd: deps.workingDirectory, env: deps.env, warn: deps.warn }
  const isStdin = filename.includes('-')
  if (isStdin && base !== undefined) throw usageError('--base reads files, so it cannot be used with -f -.')
  // Relative to the working directory, so that the same path names the file of the base.
  const local = (path: string) => relative(deps.workingDirectory, resolve(deps.workingDirectory, path)) || '.'
  const sources: Sources = {
    filename: filename.filter((path) => path !== '-').map(local),
    kustomize: kustomize === undefined ? undefined : local(kustomize),
    values: values.map(local),
  }
  const read = async (root: string, side: Sources) => readWorkloads(await renderSide(side, root, tool), namespace)
  const typed = isStdin ? [{ source: 'standard input', text: await deps.readStdin() }] : []
  const manifests = await renderSide(sources, deps.workingDirectory, tool)
  const head = readWorkloads([...typed, ...manifests], namespace)
  if (base === undefined) return { head, comparison: compareSides(undefined, head) }
  const before = await withBaseTree(base, tool, async (root) => read(root, await existing(root, sources)))
  return { head, comparison: compareSides(before, head) }
}

/** A path that the base does not have is new: all its workloads are added. */
async function existing(root: string, { filename, kustomize, values }: Sources): Promise<Sources> {
  const isThere = async (path: string) => access(join(root, path)).then(() => true, () => false) // prettier-ignore
  const present = async (paths: readonly string[]) => {
    const found = await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])))
    return found.flat()
  }
  return {
    filename: await present(filename),
    kustomize: kustomize !== undefined && (await isThere(kustomize)) ? kustomize : undefined,
    values: await present(values),
  }
}

const nothingChanged = (clusterId: string, now: Date): Estimate => ({
  cluster_id: clusterId,
  currency: 'USD',
  as_of: now.toISOString(),
  partial: false,
  workloads: [],
  requests: { monthly_cost_before: 0, monthly_cost_after: 0, monthly_change: 0, unknown_workloads: 0 },
  bill: {
    monthly_change: 0,
    summary: 'No change: +$0 per month',
    nodes_added: [],
    nodes_removed: [],
    notes: [],
  },
})
