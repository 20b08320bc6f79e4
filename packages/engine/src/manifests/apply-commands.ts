import { patchFileCommand } from './checkout-file.ts'
import { componentSteps } from './component-steps.ts'
import { helmSteps } from './helm-steps.ts'
import type { HelmWordsOf } from './helm-words.ts'
import { describeTarget, isBuiltIn, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { fieldManagerOf } from './server-side-apply.ts'
import { objectWords, type ApplyStep, type WrittenIndex } from './written-index.ts'

/** How to bring the files into Git or into a cluster. All commands are run where the directory `plimsoll` lies. */
export function applyStepsOf(written: WrittenIndex, helmWords: HelmWordsOf | null): ApplyStep[] {
  const { format, patches } = written
  if (format === 'kustomize') return componentSteps(written)
  if (helmWords) return helmSteps(written, helmWords)
  return patches.flatMap((patch) => patchSteps(written, patch))
}

function patchSteps(written: WrittenIndex, patch: ObjectPatch): ApplyStep[] {
  const { target } = patch
  const file = written.fileOf(patch)
  if (!file) return []
  const type = file.syntax === 'json' ? 'json' : isBuiltIn(target) ? 'strategic' : 'merge'
  const path = shellWord(file.path)
  const object = describeTarget(target)
  const variable = written.fileVariableOf(patch)
  const local: ApplyStep = {
    tool: 'kubectl-local',
    clusterId: target.clusterId,
    description: `Changes the manifest of ${object}${written.ofCluster(patch)} in your checkout; set ${variable} to it first. A file of several objects is refused: use kustomize.`,
    command: patchFileCommand(target, variable, `--type=${type} --patch-file ${path}`),
    lines: null,
  }
  const description = `Changes ${object} in the cluster. What Git says wins again with the next roll-out.${written.contextHintOf(patch)}`
  const command =
    written.format === 'yaml' ? serverSideApply(written, patch, type, path) : livePatch(written, patch, type, path)
  return [local, { ...local, tool: 'kubectl', description, command }]
}

/**
 * What `kubectl apply` made on the client's side is patched: applied on the server's side, all its fields would pass to our
 * manager, and those that the file does not name would be removed the next time. What is not there is not made.
 */
function serverSideApply(written: WrittenIndex, patch: ObjectPatch, type: string, path: string): string {
  const kubectl = `kubectl${written.contextOf(patch)}`
  const mark = String.raw`{.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration}`
  const made = `made=$(${kubectl} get ${objectWords(patch.target)} -o jsonpath=${shellWord(mark)})`
  const apply = `${kubectl} apply --server-side --field-manager=${fieldManagerOf(patch)} --force-conflicts -f ${path}`
  return `${made} && if [ -n "$made" ]; then ${livePatch(written, patch, type, path)}; else ${apply}; fi`
}

function livePatch(written: WrittenIndex, patch: ObjectPatch, type: string, path: string): string {
  const resize = patch.target.kind === 'Pod' && patch.containers.length > 0 ? ' --subresource=resize' : ''
  return `kubectl${written.contextOf(patch)} patch ${objectWords(patch.target)}${resize} --type=${type} --patch-file ${path}`
}
