import { groupBy } from '../group-by.ts'
import { distinct, type GitOpsManager } from './gitops-managers.ts'
import { postRenderersFor } from './helm-values.ts'
import { applicationText, fluxText } from './manager-text.ts'
import { describeTarget, type ObjectPatch } from './object-patch.ts'
import { guarded } from './shell-variables.ts'
import type { Warning } from './skips.ts'
import type { ManifestDocument } from './write-strategic-merge.ts'
import type { ApplyStep, WrittenIndex } from './written-index.ts'

type Commit = {
  /** What to do before the commit; empty: nothing. */
  readonly before: string
  /** The quoted files to commit. */
  readonly files: readonly string[]
  readonly lines: ManifestDocument | null
  /** The quoted directory of the checkout. */
  readonly directory?: string
}

/** Argo CD and Flux deploy the content of Git, so a file change needs a commit first. */
export function commitStep(patch: ObjectPatch, { before, files, lines, directory = '.' }: Commit): ApplyStep {
  const command = `git add ${files.join(' ')} && git commit -m 'Apply Plimsoll recommendations' && git push`
  return {
    tool: 'git',
    clusterId: patch.target.clusterId,
    description: `${before === '' ? '' : `${before} `}The command commits and pushes the files. If you use pull requests, push a branch and merge it instead.`,
    command: directory === '.' ? command : `(cd ${directory} && ${command})`,
    lines,
  }
}

/** Deploys the pushed commit. With an empty manager name, the reader sets the name. */
export function deployStep(
  written: WrittenIndex,
  { kind, name, space }: GitOpsManager,
  patch: ObjectPatch,
  ending = '',
): ApplyStep {
  const common = { clusterId: patch.target.clusterId, lines: null }
  if (kind === 'Application') {
    const { name: named, command, hint } = applicationText(name === '' ? null : name, ending)
    const description = `The command deploys the commit with the Application${named}${written.ofCluster(patch)}. An Application with automated sync deploys it without this command.${hint}`
    return { ...common, tool: 'argocd', description, command: `argocd app sync ${command}` }
  }
  const flux = `flux${written.contextOf(patch)}`
  const object = fluxText(kind, name === '' ? null : { name, namespace: space }, ending)
  const context = written.contextHintOf(patch)
  if (kind === 'Kustomization') {
    const description = `Flux fetches the commit from its source and applies the Kustomization${object.name}${written.ofCluster(patch)}.${object.hint}${context}`
    return { ...common, tool: 'flux', description, command: fetched(flux, object.command) }
  }
  const parent = fluxText('Kustomization', null, ending)
  const description = `Flux fetches the commit from its source, applies the Kustomization with the HelmRelease${object.name}${written.ofCluster(patch)} and upgrades the release. flux trace helmrelease names that Kustomization.${object.hint}${parent.hint}${context}`
  return {
    ...common,
    tool: 'flux',
    description,
    command: `${fetched(flux, parent.command)} && ${flux} reconcile helmrelease ${object.command}`,
  }
}

/** `--with-source` reconciles the Git source first. */
const fetched = (flux: string, kustomization: string) =>
  `${flux} reconcile kustomization ${kustomization} --with-source`

/** Flux patches the rendered chart. A file of a HelmRelease is changed instead of the manifest of a workload. */
export function postRendererSteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const releases = groupBy(patches, (patch) => written.deployerOf(patch)?.key ?? '')
  const isOne = releases.size < 2
  return [...releases.values()].flatMap((own) => {
    const [first] = own
    const manager = first && written.deployerOf(first)
    if (!manager) return []
    const ending = isOne ? '' : `_FOR_${manager.name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`
    const file = `HELMRELEASE_FILE${ending}`
    const before = `A Helm chart creates ${own.map(({ target }) => describeTarget(target)).join(', ')}, so Flux applies the patch after rendering. Add the lines to the HelmRelease ${manager.space}/${manager.name} in Git, after its existing postRenderers, and set ${file} to its file.`
    const commit = commitStep(first, { before, files: [guarded(file)], lines: postRenderersFor(own) })
    return [commit, deployStep(written, manager, first, ending)]
  })
}

/** One deployment for each manager of the patches. */
export function deploySteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const managers = distinct(patches.flatMap((patch) => written.deployerOf(patch) ?? []))
  return managers.flatMap((manager) => {
    const patch = patches.find((each) => written.deployerOf(each)?.key === manager.key)
    return patch ? [deployStep(written, manager, patch)] : []
  })
}

/** A GitOps tool reverts changes that are made only in the cluster. */
export const gitOpsWarnings = ({ patches, deployerOf }: WrittenIndex): Warning[] =>
  patches.flatMap((patch) => {
    const manager = deployerOf(patch)
    if (!manager || !patch.live) return []
    const name =
      manager.kind === 'Application'
        ? `the Argo CD application ${manager.name}`
        : `the Flux ${manager.kind} ${manager.name}`
    const message = `${describeTarget(patch.target)}: ${name} manages this object and would revert a change in the cluster. Change its source in Git.`
    return [{ code: 'managed_by_gitops', message, recommendationIds: patch.recommendationIds }]
  })
