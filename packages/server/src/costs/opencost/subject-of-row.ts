import { ALIAS_LABELS, sanitizedName, type FilterSubject } from '@plimsoll/engine/opencost'
import type { ClusterName } from '../../clusters/index.ts'
import { TEAM_LABEL } from '../parse-grouping.ts'
import type { PricedRow } from '../priced-rows.ts'

const nothing = {
  ...{ node: '', namespace: '', controllerKind: '', controllerName: '', pod: '', container: '', provider: '' },
  ...{ services: [], label: {}, annotation: {}, nodeLabel: {}, aliases: {} },
}

const UNMOUNTED = '__unmounted__'

/** Clients split keys at `/` and names of volumes at `:`. */
export const clusterField = (name: string) => name.replaceAll(/[/:]/g, '-')

/** A row without an owner of the cost. */
export const clusterSubject = ({ id, name }: ClusterName): FilterSubject => ({
  ...nothing,
  cluster: [clusterField(name), id, name],
})

/** A stored row in the dimensions of OpenCost. */
export function subjectOfRow({ owner }: PricedRow, cluster: ClusterName): FilterSubject {
  const common = clusterSubject(cluster)
  if (owner.kind === 'idle' || owner.kind === 'overhead') return common
  if (owner.kind !== 'workload') return { ...common, namespace: UNMOUNTED, pod: UNMOUNTED, container: UNMOUNTED }
  const { namespace, controllerKind, workload, labels } = owner
  const kind = controllerKindOf(controllerKind)
  const { [TEAM_LABEL]: team, ...label } = labels
  return {
    ...common,
    namespace,
    controllerKind: kind,
    controllerName: kind === '' ? '' : workload,
    label,
    aliases: { ...aliasesOf(label), ...(team === undefined ? {} : { team }) },
  }
}

/** OpenCost has no controller for a pod without one, and counts the Jobs of a CronJob as one Job. */
function controllerKindOf(kind: string): string {
  if (kind === 'Pod') return ''
  return kind === 'CronJob' ? 'job' : kind.toLowerCase()
}

function aliasesOf(label: Readonly<Record<string, string>>): FilterSubject['aliases'] {
  const found = Object.entries(ALIAS_LABELS).flatMap(([alias, key]) => {
    const value = label[key]
    return value === undefined ? [] : [[alias, value]]
  })
  return Object.fromEntries(found) as FilterSubject['aliases']
}

/** Clients expect label names in the form of Prometheus. */
export const sanitizedLabels = (label: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(label).map(([key, value]) => [sanitizedName(key), value]))
