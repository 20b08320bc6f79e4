import type { Decimal } from '@plimsoll/engine'
import { allocationKey, type Aggregate, type FilterSubject } from '@plimsoll/engine/opencost'
import type { WorkloadQuantity } from '../queries/allocation.ts'
import { computeParts, noUsd, type PartUsd, type SharedRow } from './prepare-rows.ts'
import { sanitizedLabels } from './subject-of-row.ts'

export const IDLE_KEY = '__idle__'

/** The values that all rows of a group share; an empty text: they differ, or none has one. */
export type SharedProperties = Record<(typeof propertyNames)[number], string> & { labels: Record<string, string> }

const propertyNames = ['cluster', 'node', 'namespace', 'controllerKind', 'controllerName', 'pod', 'container'] as const

export type VolumeSum = { usd: Decimal; unitSeconds: bigint }

export type Group = {
  properties: SharedProperties
  own: PartUsd
  idle: PartUsd
  loadBalancer: Decimal
  shared: Decimal
  /** By cluster: a volume of OpenCost belongs to one cluster. */
  volumes: Map<string, VolumeSum>
  quantities: Map<WorkloadQuantity, bigint>
  isUnpriced: boolean
}

export type Groups = Map<string, Group>

export function addRow(groups: Groups, row: SharedRow, aggregates: readonly Aggregate[]): void {
  const key = allocationKey(row.subject, aggregates)
  const properties = propertiesOf(row.subject)
  const group = groups.get(key) ?? newGroup(properties)
  groups.set(key, group)
  group.properties = commonOf(group.properties, properties)
  addUsd(group.own, row.own)
  addUsd(group.idle, row.idle)
  group.loadBalancer += row.loadBalancer
  group.shared += row.shared
  group.isUnpriced ||= row.isUnpriced
  if (row.storage !== 0n || row.volumeUnitSeconds !== 0n) addVolume(group, row)
  for (const [name, text] of Object.entries(row.quantities ?? {}) as [WorkloadQuantity, string | bigint][])
    group.quantities.set(name, (group.quantities.get(name) ?? 0n) + BigInt(text))
}

/** Idle cost has one line for all clusters. */
export function addIdle(groups: Groups, idle: PartUsd, cluster: string, isUnpriced: boolean): void {
  if (!isUnpriced && computeParts.every((part) => idle[part] === 0n)) return
  const properties = { ...noProperties, cluster }
  const group = groups.get(IDLE_KEY) ?? newGroup(properties)
  groups.set(IDLE_KEY, group)
  group.properties = commonOf(group.properties, properties)
  addUsd(group.own, idle)
  group.isUnpriced ||= isUnpriced
}

const newGroup = (properties: SharedProperties): Group => ({
  ...{ properties, own: noUsd(), idle: noUsd(), loadBalancer: 0n, shared: 0n },
  ...{ volumes: new Map(), quantities: new Map(), isUnpriced: false },
})

function addUsd(to: PartUsd, more: PartUsd): void {
  for (const part of computeParts) to[part] += more[part]
}

function addVolume({ volumes }: Group, { subject, storage, volumeUnitSeconds }: SharedRow): void {
  const [cluster = ''] = subject.cluster
  const before = volumes.get(cluster) ?? { usd: 0n, unitSeconds: 0n }
  volumes.set(cluster, { usd: before.usd + storage, unitSeconds: before.unitSeconds + volumeUnitSeconds })
}

const noProperties: SharedProperties = {
  ...{ cluster: '', node: '', namespace: '', controllerKind: '', controllerName: '', pod: '', container: '' },
  labels: {},
}

function propertiesOf(subject: FilterSubject): SharedProperties {
  const { cluster, node, namespace, controllerKind, controllerName, pod, container, label } = subject
  return {
    ...{ cluster: cluster[0] ?? '', node, namespace, controllerKind, controllerName, pod, container },
    labels: sanitizedLabels(label),
  }
}

function commonOf(a: SharedProperties, b: SharedProperties): SharedProperties {
  const labels = Object.fromEntries(Object.entries(a.labels).filter(([key, value]) => b.labels[key] === value))
  const common: SharedProperties = { ...noProperties, labels }
  for (const name of propertyNames) common[name] = a[name] === b[name] ? a[name] : ''
  return common
}
