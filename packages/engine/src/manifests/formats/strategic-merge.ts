import { directoryOf } from '../file-paths.ts'
import { EVERYTHING, eachPatch, type Format } from '../format-type.ts'
import { patchFile } from '../write-kustomize.ts'
import type { LiveWorkload } from '../live-workload.ts'
import { isBuiltIn } from '../object-patch.ts'
import { checkoutPlace, livePatch, patchSteps, patchWarnings } from '../patch-commands.ts'
import { refuse, type Refusal } from '../skips.ts'

export const strategicMerge = {
  id: 'strategic-merge',
  canExpress: { ...EVERYTHING, resources: refuseCustom },
  reads: { helmPaths: false, namesakes: false },
  render: (patches) =>
    eachPatch(patches, (patch) => patchFile(patch, directoryOf(patch.clusterName, patch.target.namespace))),
  warn: patchWarnings,
  apply: (written) => patchSteps(written, livePatch),
  verify: checkoutPlace,
} as const satisfies Format

function refuseCustom(live: LiveWorkload): Refusal | undefined {
  if (isBuiltIn(live)) return undefined
  return refuse('custom_resource', 'Use a JSON patch, alone or in a kustomization.', 'json-patch')
}
