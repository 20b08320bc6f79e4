import { groupBy } from '../group-by.ts'
import { clusterDirectoryOf, directoryOf, fileNameOf, selectionOf } from './file-paths.ts'
import { writeJsonPatch } from './json-patch.ts'
import { jsonPatchMedia, yamlMedia, type ManifestFile } from './manifest-file.ts'
import { groupVersionOf, isBuiltIn, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { builtTogetherOf, namesakesOf } from './namesakes.ts'
import { namesAlone, writeStrategicMerge } from './strategic-merge.ts'

/**
 * One component for each namespace of each cluster, to be added to a kustomization with one line. Who says where that
 * kustomization lies gets an overlay for each cluster as well: without a base it could not be built.
 */
export function writeKustomize(patches: readonly ObjectPatch[], base: string | null): ManifestFile[] {
  const together = builtTogetherOf(patches)
  const components = componentsOf(patches).flatMap(({ directory, own }) => [
    component(directory, own, together),
    ...own.map((patch) => patchFile(patch, directory)),
  ])
  const clusters = base === null ? [] : [...groupBy(patches, overlayOf)]
  const overlays = clusters
    .filter(([, own]) => namesakesOf(own).length === 0)
    .map(([directory, own]) => overlay(directory, own, base ?? ''))
  return [...components, ...overlays]
}

export type Component = { readonly directory: string; readonly own: readonly ObjectPatch[] }

export const componentsOf = (patches: readonly ObjectPatch[]): Component[] =>
  [...groupBy(patches, ({ clusterName, target }) => directoryOf(clusterName, target.namespace))].map(
    ([space, own]) => ({
      directory: `${space}/component-${selectionOf(idsOf(own))}`,
      own,
    }),
  )

export const overlayOf = ({ clusterName }: ObjectPatch) => `${clusterDirectoryOf(clusterName)}/overlay`

export const isOverlay = ({ path }: ManifestFile) => path.endsWith('/overlay/kustomization.yaml')

/** For people who would rather build another directory than change theirs. One for all namespaces: two would undo each other. */
const overlay = (directory: string, patches: readonly ObjectPatch[], base: string): ManifestFile => ({
  path: `${directory}/kustomization.yaml`,
  syntax: 'yaml',
  mediaType: yamlMedia,
  comment: [
    `Builds ${base}, which lies beside the directory plimsoll, with all that is to be changed.`,
    'Where an overlay of an earlier change lies here, keep its lines of components above these.',
  ],
  content: {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [`../../../${base}`],
    components: componentsOf(patches).map((each) => each.directory.replace(/^[^/]+\/[^/]+/, '..')),
  },
  target: null,
  recommendationIds: idsOf(patches),
})

export const idsOf = (patches: readonly ObjectPatch[]) =>
  [...new Set(patches.flatMap(({ recommendationIds }) => recommendationIds))].sort()

function component(
  directory: string,
  patches: readonly ObjectPatch[],
  together: ReadonlySet<ObjectPatch>,
): ManifestFile {
  return {
    path: `${directory}/kustomization.yaml`,
    syntax: 'yaml',
    mediaType: yamlMedia,
    comment: [
      'Add this directory to the components of the kustomization that holds these workloads, after those that are there.',
      'Components add up, and earlier ones stay in force. Remove this one once its change is in the base.',
    ],
    content: {
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      patches: patches.map((patch) => ({
        path: nameOf(patch),
        target: { ...kustomizeTarget(patch.target), ...(together.has(patch) ? namespaceOf(patch) : {}) },
      })),
    },
    target: null,
    recommendationIds: idsOf(patches),
  }
}

/** Without the namespace: kustomizations often set it later, and a target that names it would match nothing. */
export function kustomizeTarget(target: ManifestTarget) {
  const { group, version } = groupVersionOf(target)
  // The name is an anchored regular expression.
  const name = target.name.replaceAll('.', String.raw`\.`)
  return { ...(group === '' ? {} : { group }), version, kind: target.kind, name }
}

/** A regular expression as well, but namespaces have no dots. */
const namespaceOf = ({ target: { namespace } }: ObjectPatch) => ({ namespace })

const isMerge = ({ target, isJsonOnly }: ObjectPatch) => isBuiltIn(target) && !isJsonOnly

const nameOf = (patch: ObjectPatch) => fileNameOf(patch.target, isMerge(patch) ? 'patch.yaml' : 'patch.json')

/** kustomize replaces the containers of a custom resource when it merges, and the metrics of an autoscaler. */
export function patchFile(patch: ObjectPatch, directory: string): ManifestFile {
  const { target, recommendationIds } = patch
  const path = `${directory}/${nameOf(patch)}`
  const common = { path, comment: [], target, recommendationIds }
  return isMerge(patch)
    ? {
        ...common,
        comment: orderComment(patch),
        syntax: 'yaml',
        mediaType: yamlMedia,
        content: writeStrategicMerge(patch),
      }
    : { ...common, syntax: 'json', mediaType: jsonPatchMedia, content: writeJsonPatch(patch) }
}

function orderComment(patch: ObjectPatch): string[] {
  const names = namesAlone(patch)
  if (names.length === 0) return []
  return [`Named only so that the containers keep their order, and not changed: ${names.join(', ')}.`]
}
