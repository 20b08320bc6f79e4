import type { CostPartName, WorkloadPart } from '../../costs/index.ts'
import type { Part } from '@plimsoll/engine/incidents'

export const INSTALLATION = 'installation'

/** Names of Kubernetes contain no slash, and no level is the name of a namespace: keys of levels start with `//`. */
export function partKey(clusterId: string, part: CostPartName): string {
  if (part.level === 'namespace') return `${clusterId}/${part.namespace}`
  if (part.level === 'workload') return `${clusterId}/${part.namespace}/${part.kind}/${part.name}`
  return `${clusterId}//${part.level}`
}

export function partOf(clusterId: string, part: CostPartName): Part {
  const key = partKey(clusterId, part)
  const parent = part.level === 'workload' ? `${clusterId}/${part.namespace}` : clusterId
  return { key, level: part.level, parents: [parent] }
}

const teamPrefix = 'team:'

/** Teams have workloads in several clusters. IDs of clusters start with `cls_`. */
export const teamPart = (team: string): Part => ({
  key: `${teamPrefix}${team}`,
  level: 'team',
  parents: [INSTALLATION],
})

/** What one team has in a namespace of several owners. */
export const teamNamespacePart = (clusterId: string, namespace: string, team: string): Part => ({
  key: `${clusterId}/${namespace}//${team}`,
  level: 'team_namespace',
  parents: [`${clusterId}/${namespace}`, teamPart(team).key],
})

/** Undefined: the part of another cluster, or no workload. */
export function workloadOf(clusterId: string, key: string): WorkloadPart | undefined {
  const [ofCluster, namespace = '', kind, name] = key.split('/')
  if (ofCluster !== clusterId || namespace === '' || !kind || name === undefined) return undefined
  return { level: 'workload', namespace, kind, name }
}

export type PartPlace = {
  clusterId: string | null
  namespace: string | null
  workload: string | null
  level: string | null
  team: string | null
}

export function placeOf(key: string): PartPlace {
  const nowhere = { clusterId: null, namespace: null, workload: null, level: null, team: null }
  if (key === INSTALLATION) return nowhere
  if (key.startsWith(teamPrefix)) return { ...nowhere, team: key.slice(teamPrefix.length) }
  const [clusterId = '', namespace, kind, name, ...others] = key.split('/')
  if (namespace === '') return { ...nowhere, clusterId, level: kind ?? null }
  // Names of teams may contain slashes.
  if (kind === '' && namespace !== undefined && name !== undefined)
    return { ...nowhere, clusterId, namespace, team: [name, ...others].join('/') }
  return {
    ...nowhere,
    clusterId,
    namespace: namespace ?? null,
    workload: name === undefined ? null : `${kind}/${name}`,
  }
}
