import { groupBy } from '../group-by.ts'
import { clusterDirectoryOf, directoryOf, fileNameOf, selectionOf } from './file-paths.ts'
import { nameTest, writeJsonPatch } from './write-json-patch.ts'
import { jsonPatchMedia, yamlMedia, type ManifestFile } from './manifest-file.ts'
import { groupVersionOf, isBuiltIn, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { deployerOf, managersIn } from './gitops-managers.ts'
import { namesakesOf, type SelectNamespaces } from './namesakes.ts'
import { namesAlone, writeStrategicMerge } from './write-strategic-merge.ts'

/**
 * One component per namespace and cluster, with a transformers file that holds the same patches. A request with a base
 * directory also gets one overlay per cluster, which cannot be built without a base.
 */
export function writeKustomize(
  patches: readonly ObjectPatch[],
  base: string | null,
  namespacesOf: SelectNamespaces,
): ManifestFile[] {
  const components = componentsOf(patches).flatMap(({ directory, own }) => [
    component(directory, own, namespacesOf),
    transformers(directory, own, namespacesOf),
    ...own.map((patch) => patchFile(patch, directory)),
  ])
  const clusters = base === null ? [] : [...groupBy(patches, overlayOf)]
  const overlays = clusters
    .filter(([, own]) => fitsOneOverlay(own))
    .map(([directory, own]) => overlay(directory, own, base ?? ''))
  return [...components, ...overlays]
}

/** Two managers of one overlay would both claim its objects. */
export const fitsOneOverlay = (patches: readonly ObjectPatch[]) =>
  namesakesOf(patches).length === 0 && new Set(deployersOf(patches).map(({ key }) => key)).size < 2

function deployersOf(patches: readonly ObjectPatch[]) {
  const findDeployer = managersIn(patches, deployerOf)
  return patches.flatMap((patch) => findDeployer(patch) ?? [])
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

/**
 * An overlay lets users build another directory instead of changing theirs. One overlay for all namespaces: two would
 * revert each other.
 */
const overlay = (directory: string, patches: readonly ObjectPatch[], base: string): ManifestFile => ({
  path: `${directory}/kustomization.yaml`,
  syntax: 'yaml',
  mediaType: yamlMedia,
  comment: [
    `Builds ${base} with all changes. ${base} is next to the directory plimsoll.`,
    'If an earlier overlay exists here, keep its components above these.',
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

const component = (
  directory: string,
  patches: readonly ObjectPatch[],
  namespacesOf: SelectNamespaces,
): ManifestFile => ({
  path: `${directory}/kustomization.yaml`,
  syntax: 'yaml',
  mediaType: yamlMedia,
  comment: [
    'A component changes objects before its kustomization applies namePrefix, nameSuffix and namespace.',
    `If the kustomization sets these fields, list ${transformersName} under transformers. Otherwise list this directory under components.`,
    'Keep earlier components. Remove this component once the base contains its change.',
  ],
  content: {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    patches: patches.flatMap((patch) => selections(patch, namespacesOf, nameOf(patch))),
  },
  target: null,
  recommendationIds: idsOf(patches),
})

const transformersName = 'transformers.yaml'

export const transformersPath = ({ directory }: Pick<Component, 'directory'>) => `${directory}/${transformersName}`

/** Transformers run last in their kustomization, so they see names and namespaces as the cluster has them. */
const transformers = (
  directory: string,
  patches: readonly ObjectPatch[],
  namespacesOf: SelectNamespaces,
): ManifestFile => ({
  path: transformersPath({ directory }),
  syntax: 'yaml',
  mediaType: yamlMedia,
  comment: [
    'List this file under transformers of the kustomization that builds these workloads, next to the directory plimsoll.',
    'Transformers run after namePrefix, nameSuffix and namespace of that kustomization.',
    'Keep earlier transformers. Remove this file once the base contains its change.',
  ],
  content: {
    apiVersion: 'v1',
    kind: 'List',
    items: patches.flatMap((patch) =>
      selections(patch, namespacesOf, `${directory}/${nameOf(patch)}`).map((selection, index) => ({
        apiVersion: 'builtin',
        kind: 'PatchTransformer',
        // kustomize rejects two transformers of the same name.
        metadata: { name: `${fileNameOf(patch.target)}.${selectionOf(idsOf(patches))}.${index}` },
        ...selection,
      })),
    ),
  },
  target: null,
  recommendationIds: idsOf(patches),
})

type Selection = { readonly target: object } & ({ readonly path: string } | { readonly patch: string })

/**
 * kustomize selects by the original name and by the current name: `web` also selects `web-canary` if both have one
 * base. The guard then stops the build. A JSON patch contains the same test.
 */
function selections(patch: ObjectPatch, namespacesOf: SelectNamespaces, path: string): Selection[] {
  const target = { ...kustomizeTarget(patch.target), ...namespacePattern(namespacesOf(patch)) }
  const change = { path, target }
  return isMerge(patch) ? [{ patch: `${JSON.stringify([nameTest(patch.target)])}\n`, target }, change] : [change]
}

/** Without the namespace: kustomizations often set it later, and a target with a namespace would match nothing. */
export function kustomizeTarget(target: ManifestTarget) {
  const { group, version } = groupVersionOf(target)
  // The name is an anchored regular expression.
  const name = target.name.replaceAll('.', String.raw`\.`)
  return { ...(group === '' ? {} : { group }), version, kind: target.kind, name }
}

/** A regular expression as well, but namespaces have no dots. kustomize calls a missing namespace `default`. */
function namespacePattern(namespaces: readonly string[] | undefined): { namespace?: string } {
  if (!namespaces) return {}
  const names = [...new Set(namespaces.map((name) => name || 'default'))]
  return { namespace: names.length === 1 ? (names[0] ?? '') : `(${names.join('|')})` }
}

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
  return [`Unchanged, listed only to keep the order of the containers: ${names.join(', ')}.`]
}
