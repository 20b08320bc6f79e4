import { originOf } from './gitops-origin.ts'
import type { ObjectPatch } from './object-patch.ts'

/** What keeps a workload in line with Git. Empty words: nobody knows what it is called. */
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

/** Without a mark it may be either: people use them without our knowing. A chart takes no components. */
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
