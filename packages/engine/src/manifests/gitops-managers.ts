import { originOf } from './gitops-origin.ts'
import type { ObjectPatch } from './object-patch.ts'

/** The GitOps tool that manages a workload. An empty name: unknown. */
export type GitOpsManager = {
  readonly tool: 'argocd' | 'flux'
  readonly key: string
  readonly name: string
  readonly space: string
}

const managerOf = (tool: GitOpsManager['tool'], name = '', space = ''): GitOpsManager => ({
  tool,
  name,
  space,
  key: [tool, space, name].join(' '),
})

/** Without a label it may be Argo CD or Flux, because not every setup leaves one. A chart takes no components. */
export function managersOf({ live }: ObjectPatch): GitOpsManager[] {
  const origin = live ? originOf(live) : null
  if (origin?.helm) return []
  if (origin?.argo != null) return [managerOf('argocd', origin.argo)]
  if (origin?.flux) return [managerOf('flux', origin.flux.name, origin.flux.namespace)]
  return [managerOf('argocd'), managerOf('flux')]
}

export const onlyNamed = (managers: readonly GitOpsManager[]) => {
  const named = managers.filter(({ name }) => name !== '')
  return named.length > 0 ? named : managers
}
