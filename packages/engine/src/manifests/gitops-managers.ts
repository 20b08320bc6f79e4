import { originOf } from './gitops-origin.ts'
import type { ObjectPatch } from './object-patch.ts'

/** The GitOps tool that manages a workload. */
export type GitOpsManager = {
  readonly tool: 'argocd' | 'flux'
  readonly kind: 'Application' | 'Kustomization' | 'HelmRelease'
  readonly key: string
  readonly name: string
  readonly space: string
}

/** An empty name: unknown. */
export const namedManager = (kind: GitOpsManager['kind'], name = '', space = ''): GitOpsManager => {
  const tool = kind === 'Application' ? 'argocd' : 'flux'
  return { tool, kind, name, space, key: [tool, kind, space, name].join(' ') }
}

/** Without a label it may be Argo CD or Flux, because not every setup leaves one. A chart takes no components. */
export function managersOf(patch: ObjectPatch): GitOpsManager[] {
  const origin = patch.live ? originOf(patch.live) : null
  if (origin?.helm) return []
  const deployer = deployerOf(patch)
  return deployer ? [deployer] : [namedManager('Application'), namedManager('Kustomization')]
}

/** The named Argo CD or Flux object that deploys a workload, also from a chart; null: none is known. */
export function deployerOf({ live }: ObjectPatch): GitOpsManager | null {
  const origin = live ? originOf(live) : null
  if (origin?.argo != null) return namedManager('Application', origin.argo)
  return origin?.flux ? namedManager(origin.flux.kind, origin.flux.name, origin.flux.namespace) : null
}

type FindManager = (patch: ObjectPatch) => GitOpsManager | null

/** An object that is changed along with a workload, such as its autoscaler, has the same manager. */
export function managersIn(patches: readonly ObjectPatch[], find: FindManager): FindManager {
  const byId = new Map(
    patches
      .filter(({ live }) => live !== null)
      .flatMap((patch) => patch.recommendationIds.map((id) => [id, find(patch)])),
  )
  return (patch) => (patch.live ? find(patch) : (byId.get(patch.recommendationIds[0] ?? '') ?? null))
}

export const onlyNamed = (managers: readonly GitOpsManager[]) => {
  const named = managers.filter(({ name }) => name !== '')
  return named.length > 0 ? named : managers
}

/** Each manager once. */
export const distinct = (managers: readonly GitOpsManager[]): GitOpsManager[] => [
  ...new Map(managers.map((manager) => [manager.key, manager])).values(),
]
