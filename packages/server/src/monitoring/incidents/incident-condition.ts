import { hourMs, roundToNumber } from '@plimsoll/engine'
import type { Incident } from '@plimsoll/engine/incidents'
import type { AlertCondition } from '../../alerts/index.ts'
import { presentClass } from '../../costs/index.ts'
import { placeOf, type PartPlace } from './part-key.ts'

/** An open incident as the condition of an alert. Its end is the end of the condition. */
export function incidentCondition(incident: Incident, clusterNames: ReadonlyMap<string, string>): AlertCondition {
  const place = placeOf(incident.part)
  const cluster = place.clusterId === null ? null : (clusterNames.get(place.clusterId) ?? place.clusterId)
  const usdPerDay = roundToNumber(incident.peakUsd)
  const cause = causeText(incident)
  return {
    entity: incident.id,
    isTrue: true,
    clusterId: place.clusterId,
    namespace: place.namespace,
    ...(incident.isShift ? { unsent: 'shift' as const } : {}),
    content: {
      severity: incident.isShift ? 'info' : 'warning',
      title: `${subjectText(place, cluster)} costs more than expected${cause === null ? '' : `: ${cause}`}`,
      facts: [
        ...(place.team === null ? [] : [{ label: 'Team', value: place.team }]),
        ...(cluster === null ? [] : [{ label: 'Cluster', value: cluster }]),
        ...(place.namespace === null ? [] : [{ label: 'Namespace', value: place.namespace }]),
        ...(cause === null ? [] : [{ label: 'Cause', value: cause }]),
        {
          label: 'Since',
          value: `${new Date(incident.openedAt * hourMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        },
      ],
      money: { label: 'Above expected cost', amount: usdPerDay, currency: 'USD', per: 'day' },
      links: [{ label: 'Open the allocation', url: allocationUrl(place) }],
    },
  }
}

function subjectText({ namespace, workload, level, team }: PartPlace, cluster: string | null): string {
  if (team !== null) return namespace === null ? `Team ${team}` : `Team ${team} in namespace ${namespace}`
  if (cluster === null) return 'The total of all clusters'
  if (workload !== null) return `${namespace}/${workload.slice(workload.indexOf('/') + 1)}`
  if (namespace !== null) return `Namespace ${namespace}`
  return level === null ? `Cluster ${cluster}` : `${levelNames[level] ?? level} of cluster ${cluster}`
}

const levelNames: Readonly<Record<string, string>> = {
  idle: 'Unallocated capacity',
  storage: 'Storage',
  load_balancer: 'Load balancers',
  overhead: 'Overhead',
}

const resourceNames: Readonly<Record<string, string>> = { cpu: 'CPU', memory: 'memory', gpu: 'GPU' }

/** Null: the comparison names no cause. */
function causeText({ kind, detail }: Pick<Incident, 'kind' | 'detail'>): string | null {
  if (kind === 'price') return `price of ${presentClass(detail)}`
  if (kind === 'request') return `higher ${resourceNames[detail] ?? ''} request`.replace('  ', ' ')
  return causes[kind] ?? null
}

const causes: Readonly<Record<string, string>> = {
  new: 'new in the last 24 hours',
  replicas: 'more replicas',
  usage: 'usage above requests',
  node_mix: 'other node types',
  nodes: 'more nodes',
  allocated: 'less capacity allocated',
  size: 'larger size',
  moved: 'moved from another group',
}

const allocationUrl = ({ clusterId, namespace, team }: PartPlace): string => {
  const query = new URLSearchParams({
    ...(clusterId === null ? {} : { cluster: clusterId }),
    ...(namespace === null ? {} : { namespace }),
    ...(team === null ? {} : { team }),
  })
  return `/allocation${query.size === 0 ? '' : `?${query.toString()}`}`
}
