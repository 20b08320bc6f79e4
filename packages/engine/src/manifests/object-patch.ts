import type { ContainerList, LiveContainer, LiveWorkload } from './live-workload.ts'

/** The object and cluster of a file. */
export type ManifestTarget = {
  readonly clusterId: string
  readonly apiVersion: string
  readonly kind: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

export type NamedTarget = Omit<ManifestTarget, 'apiVersion'>

/** The target in sentences. */
export const describeTarget = ({ kind, namespace, name }: ManifestTarget) =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`

export type ResourceSection = 'requests' | 'limits'

/** One quantity of one container. */
export type ResourceChange = {
  readonly section: ResourceSection
  readonly resource: string
  /** Canonical; null: removed. */
  readonly to: string | null
  /** Not part of the recommendation, but required by it. */
  readonly isConsequence?: true
}

export type ContainerPatch = { readonly container: LiveContainer; readonly changes: readonly ResourceChange[] }

export type FieldPatch = {
  readonly path: readonly (string | number)[]
  readonly to: string | number | boolean
  /** What must hold for the path to be valid. */
  readonly guards: readonly { readonly path: readonly (string | number)[]; readonly value: string }[]
  /** Whether the parent object of the field exists; unknown: it may be missing. */
  readonly isParentThere: boolean | 'unknown'
}

/** All changes of one object, independent of the format. Every format is written from this value. */
export type ObjectPatch = {
  readonly target: ManifestTarget
  readonly clusterName: string
  readonly recommendationIds: readonly string[]
  readonly containers: readonly ContainerPatch[]
  readonly fields: readonly FieldPatch[]
  /** Part of a list that a merge would replace as a whole: only a JSON patch can express it. */
  readonly isJsonOnly: boolean
  readonly live: LiveWorkload | null
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '')
const versionOf = (apiVersion: string) => apiVersion.slice(apiVersion.indexOf('/') + 1)

export const groupVersionOf = ({ apiVersion }: { apiVersion: string }) => ({
  group: groupOf(apiVersion),
  version: versionOf(apiVersion),
})

/** Merges know the lists of built-in kinds only. Lists of a custom resource are replaced as a whole. */
export const isBuiltIn = ({ apiVersion }: { apiVersion: string }) => {
  const group = groupOf(apiVersion)
  return !group.includes('.') || group.endsWith('.k8s.io')
}

const podTemplate = ['spec', 'template', 'spec']

/** The path of the pod spec in an object of this kind; undefined: not known. */
export function templatePathOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string[] | undefined {
  const { group } = groupVersionOf({ apiVersion })
  return templatePaths[`${group}/${kind}`]
}

const templatePaths: Readonly<Record<string, string[]>> = {
  '/Pod': ['spec'],
  '/ReplicationController': podTemplate,
  'apps/Deployment': podTemplate,
  'apps/StatefulSet': podTemplate,
  'apps/DaemonSet': podTemplate,
  'apps/ReplicaSet': podTemplate,
  'batch/Job': podTemplate,
  'batch/CronJob': ['spec', 'jobTemplate', ...podTemplate],
  'argoproj.io/Rollout': podTemplate,
  'serving.knative.dev/Service': podTemplate,
}

export const containerListsOf = (patch: ObjectPatch): ContainerList[] =>
  (['initContainers', 'containers'] as const).filter((list) =>
    patch.containers.some(({ container }) => container.list === list),
  )
