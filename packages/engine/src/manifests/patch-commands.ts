import { patchFileCommand } from './checkout-file.ts'
import type { Place } from './format.ts'
import { originOf, type Origin } from './gitops-origin.ts'
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
export const patchSteps = (written: WrittenIndex, liveCommand: LiveCommand): ApplyStep[] =>
  written.patches.flatMap((patch) => stepsOf(written, patch, liveCommand))

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
    description: `Changes the manifest of ${object}${written.ofCluster(patch)} in your checkout. First set ${variable} to the manifest. The command rejects a file with several objects: use kustomize for such a file.`,
    command: patchFileCommand(target, variable, `--type=${type} --patch-file ${path}`),
    lines: null,
  }
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

/** A GitOps tool reverts a change that is made in the cluster only. */
export const patchWarnings = ({ patches }: WrittenIndex): Warning[] =>
  patches.flatMap(({ live, target, recommendationIds }) => {
    const manager = live ? managerOf(originOf(live)) : ''
    const message = `${describeTarget(target)}: ${manager} manages this object and would revert a change in the cluster. Change its source in Git.`
    return manager === '' ? [] : [{ code: 'managed_by_gitops', message, recommendationIds }]
  })

function managerOf({ argo, flux, helm }: Origin): string {
  if (argo !== null) return `the Argo CD application ${argo}`
  if (flux) return `the Flux ${flux.kind} ${flux.name}`
  return helm ? 'its Helm release' : ''
}
