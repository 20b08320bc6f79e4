import { directoryOf, fileNameOf } from '../file-paths.ts'
import { EVERYTHING, eachPatch, type Format } from '../format-type.ts'
import { writeJsonPatch } from '../write-json-patch.ts'
import { jsonPatchMedia, type ManifestFile } from '../manifest-file.ts'
import type { FieldPatch, ObjectPatch } from '../object-patch.ts'
import { checkoutPlace, livePatch, patchSteps, patchWarnings } from '../patch-commands.ts'
import { refuse, type Refusal } from '../skips.ts'

export const jsonPatch = {
  id: 'json-patch',
  canExpress: { ...EVERYTHING, fields: refuseUnknownParent },
  reads: { helmPaths: false, namesakes: false },
  render: (patches) => eachPatch(patches, fileOf),
  warn: patchWarnings,
  apply: (written) => patchSteps(written, livePatch),
  verify: checkoutPlace,
} as const satisfies Format

function fileOf(patch: ObjectPatch): ManifestFile {
  const { target, recommendationIds } = patch
  const path = `${directoryOf(patch.clusterName, target.namespace)}/${fileNameOf(target, 'patch.json')}`
  const content = writeJsonPatch(patch)
  return { target, recommendationIds, path, syntax: 'json', mediaType: jsonPatchMedia, comment: [], content }
}

function refuseUnknownParent(fields: readonly FieldPatch[]): Refusal | undefined {
  const unknown = fields.find(({ isParentThere }) => isParentThere === 'unknown')
  if (!unknown) return undefined
  const parent = unknown.path.slice(0, -1).join('.')
  return refuse(
    'not_expressible',
    `Plimsoll does not know whether ${parent} exists. Use a strategic merge: it creates a missing ${parent}.`,
    'strategic-merge',
  )
}
