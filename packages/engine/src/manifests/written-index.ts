import type { ManifestFile } from './manifest-file.ts'
import { groupVersionOf, type ManifestTarget, type NamedTarget, type ObjectPatch } from './object-patch.ts'
import { fileVariablesOf } from './checkout-file.ts'
import { contextsOf } from './cluster-contexts.ts'
import { deployerOf, managersIn, type GitOpsManager } from './gitops-managers.ts'
import { selectNamespaces, type SelectNamespaces } from './namesakes.ts'
import { kustomizationsOf, type Kustomization } from './kustomizations.ts'
import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'
import type { ManifestDocument } from './write-strategic-merge.ts'

export type ApplyStep = {
  readonly tool: 'kubectl' | 'kubectl-local' | 'kustomize' | 'helm' | 'git' | 'argocd' | 'flux'
  readonly clusterId: string
  /** What the step does and where to run it. */
  readonly description: string
  readonly command: string
  /** The lines to add to an Argo CD or Flux object; null: none. */
  readonly lines: ManifestDocument | null
}

export type VerifyStep = {
  readonly tool: 'kubectl' | 'kubectl-local' | 'kustomize' | 'helm'
  readonly clusterId: string
  readonly description: string
  readonly command: string
  readonly expect: 'yes'
}

export type Written = {
  readonly patches: readonly ObjectPatch[]
  readonly files: readonly ManifestFile[]
  /** Workloads outside the request that share a name with a workload inside it. */
  readonly namesakes: readonly NamedTarget[]
  /** The chart that the user named; null: a shell variable. */
  readonly chartOf: (patch: ObjectPatch) => string | null
}

type Looked = {
  /** With several clusters, a command must name its context instead of using the current one. */
  readonly contextOf: (patch: ObjectPatch) => string
  /** The required variables; empty: there is one cluster. */
  readonly contextNeedsOf: (patch: ObjectPatch) => readonly string[]
  /** What to set before, or which cluster the current context must be. */
  readonly contextHintOf: (patch: ObjectPatch) => string
  /** Words that name the cluster of an object if there are several. */
  readonly ofCluster: (patch: ObjectPatch) => string
  /** The kustomization that gets the component of an object. */
  readonly kustomizationOf: (patch: ObjectPatch) => Kustomization
  /** The named Argo CD or Flux object that deploys an object; null: none is known. */
  readonly deployerOf: (patch: ObjectPatch) => GitOpsManager | null
  /** The namespaces that the kustomize target of an object selects. */
  readonly selectedNamespacesOf: SelectNamespaces
  /** A variable of the shell of the reader: the path of the manifest in the checkout. */
  readonly fileVariableOf: (patch: ObjectPatch) => string
  readonly hasFile: (path: string) => boolean
  readonly fileOf: (patch: ObjectPatch) => ManifestFile | undefined
  readonly patchOf: (file: ManifestFile) => ObjectPatch | undefined
}

/** The written files, with cached look-ups. */
export type WrittenIndex = Written & Looked

export function indexWritten(written: Written): WrittenIndex {
  const { patches, files } = written
  const contexts = contextsOf(patches)
  const contextFor = ({ target }: ObjectPatch) => contexts.get(target.clusterId)
  const paths = new Set(files.map(({ path }) => path))
  const byTarget = new Map(files.map((file) => [file.target, file]))
  const byId = new Map(files.flatMap((file) => file.recommendationIds.map((id) => [id, file])))
  const patchById = new Map(patches.flatMap((patch) => patch.recommendationIds.map((id) => [id, patch])))
  const kustomizations = computeOnce(() => kustomizationsOf(patches))
  const deployers = computeOnce(() => managersIn(patches, deployerOf))
  const selected = computeOnce(() => selectNamespaces(patches, written.namesakes))
  const fileVariables = computeOnce(() => fileVariablesOf(patches))
  return {
    ...written,
    contextOf: (patch) => contextFlag(contextFor(patch)?.variable),
    contextNeedsOf: (patch) => [contextFor(patch)?.variable].filter((variable) => variable !== undefined),
    contextHintOf: (patch) => contextHint(contextFor(patch)?.variable, patch.clusterName),
    ofCluster: (patch) => (contextFor(patch) ? ` of cluster ${patch.clusterName}` : ''),
    kustomizationOf: (patch) => kustomizations()(patch),
    deployerOf: (patch) => deployers()(patch),
    selectedNamespacesOf: (patch) => selected()(patch),
    fileVariableOf: (patch) => fileVariables()(patch),
    hasFile: (path) => paths.has(path),
    fileOf: ({ target, recommendationIds }) => byTarget.get(target) ?? byId.get(recommendationIds[0] ?? ''),
    patchOf: ({ recommendationIds }) => patchById.get(recommendationIds[0] ?? ''),
  }
}

/** Computes the value on first use, because not every format needs every value. */
function computeOnce<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** kubectl would use the current context if the variable were empty, so the shell must stop. */
const contextFlag = (variable: string | undefined) => (variable === undefined ? '' : ` --context=${guarded(variable)}`)

const contextHint = (variable: string | undefined, clusterName: string) =>
  variable === undefined
    ? ` Your current kubectl context must point to cluster ${clusterName}.`
    : ` Set ${variable} to your kubectl context of cluster ${clusterName}.`

const resourceWord = (target: ManifestTarget) => {
  const { group, version } = groupVersionOf(target)
  const kind = target.kind.toLowerCase()
  return shellWord(group === '' ? kind : `${kind}.${version}.${group}`)
}

export const namespaceFlag = ({ namespace }: ManifestTarget) => (namespace === '' ? '' : ` -n ${shellWord(namespace)}`)

/** The kubectl arguments of an object: resource, name and namespace. */
export const objectWords = (target: ManifestTarget) =>
  `${resourceWord(target)} ${shellWord(target.name)}${namespaceFlag(target)}`
