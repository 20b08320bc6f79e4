import type { ClusterFacts, RuleFinding } from '@plimsoll/engine/rules'

/** With the claim of the volume, because users know a volume by its claim. */
export type NamedFinding = RuleFinding & { readonly claim?: string }

/** Names the claim beside the volume of a finding, because provisioners generate volume names. */
export function claimer({ volumes }: Pick<ClusterFacts, 'volumes'>): (finding: RuleFinding) => NamedFinding {
  const claims = new Map(
    volumes.flatMap(({ name, namespace, claim }) => (claim === '' ? [] : [[name, `${namespace}/${claim}`]])),
  )
  return (finding) => {
    const { kind, name } = finding.target
    const claim = kind === 'PersistentVolume' ? claims.get(name) : undefined
    return claim === undefined ? finding : { ...finding, claim }
  }
}
