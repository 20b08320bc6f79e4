import type { ExplorerSearch, OwnerKind } from '../../url-parameters.ts'

export type Owner = { kind: OwnerKind; name: string }

/** The grouping, the filter and the parts of the only call of the page. Causes are not split by node. */
export function ownerQuery({ kind, name }: Owner): Record<string, string> {
  if (kind === 'workloads') return { group_by: 'workload,team', workload: name, include: 'changes' }
  if (kind === 'namespaces') return { group_by: 'workload,team', namespace: name, include: 'changes' }
  if (kind === 'teams') return { group_by: 'namespace,workload', team: name, include: 'changes' }
  return { group_by: 'node', node: name }
}

/** The explorer with the filter of the owner. */
export function explorerSearch({ kind, name }: Owner): ExplorerSearch {
  if (kind === 'workloads') return { by: 'workload', workload: name }
  if (kind === 'namespaces') return { by: 'workload', namespace: name }
  return kind === 'teams' ? { by: 'namespace', then: 'workload', team: name } : { by: 'node' }
}

const ownerWords = { workloads: 'Workload', namespaces: 'Namespace', teams: 'Team', nodes: 'Node' }

export const ownerWord = ({ kind }: Owner) => ownerWords[kind]

export function ownerTitle({ kind, name }: Owner): { title: string; sub: string } {
  if (kind === 'namespaces') return { title: name, sub: 'Namespace' }
  if (kind === 'teams') return { title: name, sub: 'Team' }
  if (kind === 'nodes') return { title: name, sub: 'Node' }
  const [namespace = '', workloadKind = '', workload = ''] = name.split('/')
  return { title: `${namespace}/${workload}`, sub: `${workloadKind} in namespace ${namespace}` }
}
