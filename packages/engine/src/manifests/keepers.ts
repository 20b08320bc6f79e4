import { originOf } from './gitops-marks.ts'
import type { ObjectPatch } from './object-patch.ts'

/** What keeps a workload in line with Git. Empty words: nobody knows what it is called. */
export type Keeper = {
  readonly tool: 'argocd' | 'flux'
  readonly key: string
  readonly name: string
  readonly space: string
}

const keeper = (tool: Keeper['tool'], name = '', space = ''): Keeper => ({
  tool,
  name,
  space,
  key: [tool, space, name].join(' '),
})

/** Without a mark it may be either: people use them without our knowing. A chart takes no components. */
export function keepersOf({ live }: ObjectPatch): Keeper[] {
  const origin = live ? originOf(live) : null
  if (origin?.helm) return []
  if (origin?.argo != null) return [keeper('argocd', origin.argo)]
  if (origin?.flux) return [keeper('flux', origin.flux.name, origin.flux.namespace)]
  return [keeper('argocd'), keeper('flux')]
}

export const onlyNamed = (keepers: readonly Keeper[]) => {
  const named = keepers.filter(({ name }) => name !== '')
  return named.length > 0 ? named : keepers
}
