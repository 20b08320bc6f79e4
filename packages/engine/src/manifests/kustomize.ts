import { directoryOf, fileNameOf } from './file-paths.ts'
import { writeJsonPatch } from './json-patch.ts'
import { jsonPatchMedia, yamlMedia, type ManifestFile } from './manifest-file.ts'
import { groupVersionOf, isBuiltIn, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { writeStrategicMerge } from './strategic-merge.ts'

/** One component for each namespace of each cluster, to be added to a kustomization with one line. */
export function writeKustomize(patches: readonly ObjectPatch[]): ManifestFile[] {
  const byDirectory = new Map<string, ObjectPatch[]>()
  for (const patch of patches) {
    const directory = directoryOf(patch.clusterName, patch.target.namespace)
    byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), patch])
  }
  return [...byDirectory].flatMap(([directory, own]) => [
    component(`${directory}/component`, own),
    overlay(`${directory}/overlay`, own),
    ...own.map((patch) => patchFile(patch, `${directory}/component`)),
  ])
}

export const componentOf = ({ clusterName, target }: ObjectPatch) =>
  `${directoryOf(clusterName, target.namespace)}/component`

/** For people who would rather build another directory than change theirs. */
const overlay = (directory: string, patches: readonly ObjectPatch[]): ManifestFile => ({
  path: `${directory}/kustomization.yaml`,
  syntax: 'yaml',
  mediaType: yamlMedia,
  comment: ['A plain overlay over the directory base beside plimsoll. If yours is another, change the resources.'],
  content: {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['../../../../base'],
    components: ['../component'],
  },
  target: null,
  recommendationIds: idsOf(patches),
})

const idsOf = (patches: readonly ObjectPatch[]) =>
  [...new Set(patches.flatMap(({ recommendationIds }) => recommendationIds))].sort()

function component(directory: string, patches: readonly ObjectPatch[]): ManifestFile {
  return {
    path: `${directory}/kustomization.yaml`,
    syntax: 'yaml',
    mediaType: yamlMedia,
    comment: ['Add this directory to the components of the kustomization that holds these workloads.'],
    content: {
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      patches: patches.map((patch) => ({ path: nameOf(patch), target: targetOf(patch.target) })),
    },
    target: null,
    recommendationIds: idsOf(patches),
  }
}

/** Without the namespace: kustomizations often set it later, and a target that names it would match nothing. */
function targetOf(target: ManifestTarget) {
  const { group, version } = groupVersionOf(target)
  // The name is an anchored regular expression.
  const name = target.name.replaceAll('.', String.raw`\.`)
  return { ...(group === '' ? {} : { group }), version, kind: target.kind, name }
}

const isMerge = ({ target, isJsonOnly }: ObjectPatch) => isBuiltIn(target) && !isJsonOnly

const nameOf = (patch: ObjectPatch) => fileNameOf(patch.target, isMerge(patch) ? 'patch.yaml' : 'patch.json')

/** kustomize replaces the containers of a custom resource when it merges, and the metrics of an autoscaler. */
export function patchFile(patch: ObjectPatch, directory: string): ManifestFile {
  const { target, recommendationIds } = patch
  const path = `${directory}/${nameOf(patch)}`
  const common = { path, comment: [], target, recommendationIds }
  return isMerge(patch)
    ? { ...common, syntax: 'yaml', mediaType: yamlMedia, content: writeStrategicMerge(patch) }
    : { ...common, syntax: 'json', mediaType: jsonPatchMedia, content: writeJsonPatch(patch) }
}
