import { directoryOf, fileNameOf } from '../file-paths.ts'
import { EVERYTHING, eachPatch, type Format } from '../format-type.ts'
import { deployerOf } from '../gitops-managers.ts'
import type { LiveWorkload } from '../live-workload.ts'
import { yamlMedia, type ManifestFile } from '../manifest-file.ts'
import { isBuiltIn, type ObjectPatch, type ResourceChange } from '../object-patch.ts'
import { checkoutPlace, livePatch, patchSteps, patchWarnings, patchTypeOf, type PatchFile } from '../patch-commands.ts'
import { refuseOtherTarget, usePatch } from '../refusals.ts'
import { shellWord } from '../safe-text.ts'
import { fieldManagerOf, writePartialManifest } from '../server-side-apply.ts'
import { refuse, type Refusal } from '../skips.ts'
import { objectWords, type WrittenIndex } from '../written-index.ts'

export const yaml = {
  id: 'yaml',
  canExpress: { ...EVERYTHING, resources: refuseResources, pairing: refuseOtherTarget },
  reads: { helmPaths: false, namesakes: false },
  render: (patches) => eachPatch(patches, fileOf),
  warn: patchWarnings,
  apply: (written) => patchSteps(written, serverSideApply),
  verify: checkoutPlace,
} as const satisfies Format

function refuseResources(live: LiveWorkload, changes: readonly ResourceChange[]): Refusal | undefined {
  if (!isBuiltIn(live))
    return refuse(
      'atomic_list',
      'Server-side apply would replace the list of containers. Use a JSON patch.',
      'json-patch',
    )
  if (live.kind === 'Pod') return refuse('pod_resize_refused', usePatch, 'json-patch')
  return changes.some(({ to }) => to === null)
    ? refuse('format_cannot_remove', 'Another field manager owns the field. Use a strategic merge.', 'strategic-merge')
    : undefined
}

function fileOf(patch: ObjectPatch): ManifestFile {
  const { target, recommendationIds } = patch
  const path = `${directoryOf(patch.clusterName, target.namespace)}/${fileNameOf(target, 'yaml')}`
  return {
    ...{ target, recommendationIds, path, syntax: 'yaml', mediaType: yamlMedia },
    comment: commentOf(patch, path),
    content: writePartialManifest(patch),
  }
}

function commentOf(patch: ObjectPatch, path: string): string[] {
  const { target } = patch
  const manager = deployerOf(patch)
  if (manager) {
    const words = `${manager.kind} ${manager.name}`
    return [
      `Only the changed fields; all other fields stay unchanged. The ${words} would revert a change in the cluster.`,
      `Change the source of the ${words} in Git instead.`,
    ]
  }
  return [
    'Only the changed fields; all other fields stay unchanged. Check your kubectl context, then apply with:',
    `kubectl apply --server-side --field-manager=${fieldManagerOf(patch)} --force-conflicts -f ${path}`,
    'If the object was created by kubectl apply without --server-side, this command would remove its other fields. In that case, use:',
    `kubectl patch ${objectWords(target)} --type=${patchTypeOf(target)} --patch-file ${path}`,
  ]
}

/**
 * An object that client-side `kubectl apply` created is patched: with server-side apply all its fields would pass to our manager, and
 * the next apply would remove those that the file does not name. An object that does not exist is not created.
 */
function serverSideApply(written: WrittenIndex, patch: ObjectPatch, file: PatchFile): string {
  const kubectl = `kubectl${written.contextOf(patch)}`
  const annotation = String.raw`{.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration}`
  const made = `made=$(${kubectl} get ${objectWords(patch.target)} -o jsonpath=${shellWord(annotation)})`
  const apply = `${kubectl} apply --server-side --field-manager=${fieldManagerOf(patch)} --force-conflicts -f ${file.path}`
  return `${made} && if [ -n "$made" ]; then ${livePatch(written, patch, file)}; else ${apply}; fi`
}
