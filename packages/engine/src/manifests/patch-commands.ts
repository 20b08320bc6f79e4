import { groupBy } from '../group-by.ts'
import { patchFileCommand } from './checkout-file.ts'
import type { Place } from './format-type.ts'
import { originOf } from './gitops-origin.ts'
import { commitStep, deploySteps, gitOpsWarnings, postRendererSteps } from './gitops-steps.ts'
import { describeTarget, isBuiltIn, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'
import type { Warning } from './skips.ts'
import { objectWords, type ApplyStep, type WrittenIndex } from './written-index.ts'

/** A patch file in a command: its quoted path and how kubectl reads it. */
export type PatchFile = { readonly path: string; readonly type: string }

type LiveCommand = (written: WrittenIndex, patch: ObjectPatch, file: PatchFile) => string

export const patchTypeOf = (target: ManifestTarget) => (isBuiltIn(target) ? 'strategic' : 'merge')

/** How to apply one file per object to a checkout or a cluster. Commands run in the directory that holds `plimsoll`. */
export function patchSteps(written: WrittenIndex, liveCommand: LiveCommand): ApplyStep[] {
  const { patches, deployerOf } = written
  const isRelease = (patch: ObjectPatch) => deployerOf(patch)?.kind === 'HelmRelease'
  const committed = patches.filter((patch) => deployerOf(patch) !== null && !isRelease(patch))
  return [
    ...patches.filter((patch) => !isRelease(patch)).flatMap((patch) => stepsOf(written, patch, liveCommand)),
    ...[...groupBy(committed, ({ target }) => target.clusterId).values()].flatMap((own) => gitSteps(written, own)),
    ...postRendererSteps(written, patches.filter(isRelease)),
  ]
}

function gitSteps(written: WrittenIndex, own: readonly ObjectPatch[]): ApplyStep[] {
  const [first] = own
  if (!first) return []
  const files = own.map((patch) => guarded(written.fileVariableOf(patch)))
  return [commitStep(first, { before: '', files, lines: null }), ...deploySteps(written, own)]
}

function stepsOf(written: WrittenIndex, patch: ObjectPatch, liveCommand: LiveCommand): ApplyStep[] {
  const { target } = patch
  const file = written.fileOf(patch)
  if (!file) return []
  const type = file.syntax === 'json' ? 'json' : patchTypeOf(target)
  const path = shellWord(file.path)
  const object = describeTarget(target)
  const variable = written.fileVariableOf(patch)
  const local: ApplyStep = {
    tool: 'kubectl-local',
    clusterId: target.clusterId,
    description: `Changes the manifest of ${object}${written.ofCluster(patch)} in your checkout. Set ${variable} to the manifest. The command rejects files with several objects; use kustomize for those.`,
    command: patchFileCommand(target, variable, `--type=${type} --patch-file ${path}`),
    lines: null,
  }
  if (written.deployerOf(patch)) return [local]
  const description = `Changes ${object} in the cluster. The next rollout from Git overwrites this change.${written.contextHintOf(patch)}`
  return [local, { ...local, tool: 'kubectl', description, command: liveCommand(written, patch, { path, type }) }]
}

export function livePatch(written: WrittenIndex, patch: ObjectPatch, { path, type }: PatchFile): string {
  const resize = patch.target.kind === 'Pod' && patch.containers.length > 0 ? ' --subresource=resize' : ''
  return `kubectl${written.contextOf(patch)} patch ${objectWords(patch.target)}${resize} --type=${type} --patch-file ${path}`
}

export const checkoutPlace =
  (written: WrittenIndex) =>
  (patch: ObjectPatch, read: string): Place => {
    const variable = written.fileVariableOf(patch)
    return {
      tool: 'kubectl-local',
      hint: '',
      source: {
        command: `${read} < ${guarded(variable)}`,
        needs: [variable],
        where: `the manifest ${variable} of your checkout`,
        reasons: {
          failed: `kubectl cannot read ${variable}; its message is above.`,
          absent: `Set ${variable} to the manifest of this object.`,
          different: 'Run the kubectl-local command first.',
        },
      },
    }
  }

export const patchWarnings = (written: WrittenIndex): Warning[] => [
  ...gitOpsWarnings(written),
  ...written.patches.flatMap((patch) => releaseWarning(written, patch)),
]

/** The next upgrade of a release without Argo CD or Flux reverts the change as well. */
function releaseWarning({ deployerOf }: WrittenIndex, patch: ObjectPatch): Warning[] {
  const { live, target, recommendationIds } = patch
  if (!live || !originOf(live).helm || deployerOf(patch)) return []
  const message = `${describeTarget(target)}: its Helm release manages this object and would revert a change in the cluster. Change its source in Git.`
  return [{ code: 'managed_by_gitops', message, recommendationIds }]
}
