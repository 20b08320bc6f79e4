import {
  BYTES_PER_KIB,
  decimal,
  formatDecimal,
  MICROCORES_PER_CORE,
  PARTS_PER_WHOLE,
  roundToNumber,
  SECONDS_PER_HOUR,
} from '@plimsoll/engine'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import { listClusterPlaces, type ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { HourWindow } from '../parse-window.ts'
import { sumCloudResourceAllocation } from '../queries/allocation.ts'
import {
  listCloudResourceAssets,
  listNodeAssets,
  type CloudResourceAsset,
  type NodeAsset,
} from '../queries/opencost-assets.ts'
import { listCoveredSpans } from '../queries/opencost.ts'
import { loadShownCover } from '../shown-cover.ts'
import { matchingNames, succeeded, type OpencostContext } from './opencost-answer.ts'
import type { OpencostAssetNamesRequest, OpencostAssetsRequest } from './opencost-request.ts'
import type { SetSpan } from './plan-sets.ts'
import { presentSpan } from './present-set.ts'
import { clusterField } from './subject-of-row.ts'

const rowsMax = 100_000
const UNDEFINED = '__undefined__'

export async function answerAssets(context: OpencostContext, request: OpencostAssetsRequest): Promise<object> {
  const { assets, warnings } = await loadAssets(context, request.window)
  const shown = assets.filter(({ asset }) => request.types === null || request.types.includes(asset.type.toLowerCase()))
  const data = Object.fromEntries(shown.map(({ key, asset }) => [key, asset]))
  // kubectl-cost sends a filter by type and expects a list of sets.
  return succeeded(request.isList ? [data] : data, warnings)
}

export async function answerAssetNames(context: OpencostContext, request: OpencostAssetNamesRequest): Promise<object> {
  const { field, search, limit } = request
  const { assets } = await loadAssets(context, request.window)
  const names = new Set(assets.map(({ asset }) => (field === 'type' ? asset.type : (asset.properties[field] ?? ''))))
  return succeeded({ data: matchingNames(names, search, limit) })
}

type Properties = {
  category: string
  provider: string
  service: string
  cluster: string
  name: string
  providerID: string
}
type Asset = { type: AssetType; properties: Properties; totalCost: number }
type AssetType = 'Node' | 'Disk' | 'LoadBalancer' | 'ClusterManagement'
type Keyed = { key: string; asset: Asset }

async function loadAssets({ tx, clusters, signal }: OpencostContext, window: HourWindow) {
  const ids = clusters.map(({ id }) => id)
  const places = await listClusterPlaces(tx, ids)
  const [covered = window] = await listCoveredSpans(tx, ids, [window])
  const assets: Keyed[] = []
  const warnings = new Set<string>()
  for (const cluster of clusters) {
    signal?.throwIfAborted()
    const place = { cluster, provider: places.get(cluster.id)?.provider ?? '', window, covered }
    const found = await loadAssetsOfCluster(tx, place, warnings)
    for (const asset of found) assets.push(keyed(asset))
    if (assets.length > rowsMax) throw tooMany()
  }
  return { assets, warnings: [...warnings] }
}

type Place = { cluster: ClusterName; provider: string; window: HourWindow; covered: SetSpan }

async function loadAssetsOfCluster(tx: Db, place: Place, warnings: Set<string>): Promise<Asset[]> {
  const { cluster, window } = place
  const cover = await loadShownCover(tx, cluster.id, window)
  const nodes = await listNodeAssets(tx, cover, rowsMax)
  // An open hour has no stored hours: its sums have no names.
  const span = { from: window.from, to: window.to, rowsMax }
  const resources = cover.openHour ? [] : await listCloudResourceAssets(tx, cluster.id, span)
  const selection = { step: 'none' as const, keys: [], labelKeys: [], namespaces: null }
  const totals = await sumCloudResourceAllocation(tx, cover, selection, { rowsReadMax: rowsMax })
  if ([...nodes, ...resources, ...totals].some(({ isUnpriced }) => isUnpriced))
    warnings.add('Some resources are not priced. The amounts do not include them.')
  const rest = restOf(totals, resources)
  if (rest.length > 0) warnings.add('Hours older than 35 days have one asset for all assets of a type.')
  return [
    ...nodes.map((node) => presentNode(node, place)),
    ...resources.map((each) => presentResource(each, place)),
    ...rest.map((each) => presentResource(each, place)),
  ]
}

type Totals = { storage: string; loadBalancer: string; overhead: string; volumeUnitSeconds: string }

/** Sums of days without stored hours: the assets add up to the allocation. */
function restOf(totals: readonly Totals[], resources: readonly CloudResourceAsset[]): CloudResourceAsset[] {
  const fields = { volume: 'storage', balancer: 'loadBalancer', control_plane: 'overhead' } as const
  return (Object.keys(fields) as CloudResourceKind[]).flatMap((kind) => {
    const own = resources.filter((each) => each.kind === kind)
    const total = totals.reduce((sum, each) => sum + decimal(each[fields[kind]]), 0n)
    const left = total - own.reduce((sum, each) => sum + decimal(each.usd), 0n)
    if (left === 0n) return []
    const units = totals.reduce((sum, each) => sum + BigInt(each.volumeUnitSeconds), 0n)
    const unitSeconds = kind === 'volume' ? own.reduce((rest, each) => rest - BigInt(each.unitSeconds), units) : 0n
    const named = { uid: '', kind, name: '__others__', objectName: '', namespace: '', isUnpriced: false }
    return [{ ...named, usd: formatDecimal(left), unitSeconds: String(unitSeconds) }]
  })
}

/** As many as OpenCost prints. */
const usd = (value: string) => roundToNumber(decimal(value), 5)
const rounded = (value: number) => Number(value.toFixed(5))

const common = ({ window, covered }: Place) => ({
  labels: {},
  window: presentSpan(window),
  ...presentSpan(covered),
  minutes: (covered.to.getTime() - covered.from.getTime()) / 60_000,
})

const propertiesOf = ({ cluster, provider }: Place, category: string, name: string, providerID: string) => ({
  category,
  provider: providerName(provider),
  service: 'Kubernetes',
  cluster: clusterField(cluster.name),
  name,
  providerID,
})

/** As OpenCost writes them; other providers keep their name. */
const providerName = (provider: string) => ({ aws: 'AWS', gcp: 'GCP', azure: 'Azure' })[provider] ?? provider

function presentNode(node: NodeAsset, place: Place) {
  const hours = (text: string) => Number(text) / SECONDS_PER_HOUR
  const existed = hours(node.seconds)
  const cpuHours = hours(node.cpuCapacity) / MICROCORES_PER_CORE
  const memoryHours = hours(node.memoryCapacity) * BYTES_PER_KIB
  const gpuHours = hours(node.gpuCapacity) / PARTS_PER_WHOLE
  const mean = (amount: number) => (existed === 0 ? 0 : rounded(amount / existed))
  return {
    type: 'Node' as const,
    properties: propertiesOf(place, 'Compute', node.name, node.providerId),
    ...common(place),
    nodeType: node.instanceType,
    pool: node.pool,
    cpuCores: mean(cpuHours),
    ramBytes: mean(memoryHours),
    cpuCoreHours: rounded(cpuHours),
    ramByteHours: rounded(memoryHours),
    GPUHours: rounded(gpuHours),
    cpuBreakdown: breakdown(node.cpuCapacity, node.cpuUsed, node.cpuReserved),
    ramBreakdown: breakdown(node.memoryCapacity, node.memoryUsed, node.memoryReserved),
    preemptible: node.capacityType === 'spot' ? 1 : 0,
    discount: 0,
    cpuCost: usd(node.cpu),
    gpuCost: usd(node.gpu),
    gpuCount: mean(gpuHours),
    ramCost: usd(node.memory),
    adjustment: 0,
    totalCost: roundToNumber(decimal(node.cpu) + decimal(node.memory) + decimal(node.gpu), 5),
  }
}

/** Shares of the capacity. */
function breakdown(capacity: string, used: string, reserved: string) {
  const whole = Number(capacity)
  const [user, system] = [used, reserved].map((each) => (whole === 0 ? 0 : Number(each) / whole))
  const idle = Math.max(0, 1 - (user ?? 0) - (system ?? 0))
  return { idle: rounded(idle), other: 0, system: rounded(system ?? 0), user: rounded(user ?? 0) }
}

function presentResource(resource: CloudResourceAsset, place: Place): Asset {
  const totalCost = usd(resource.usd)
  if (resource.kind === 'control_plane') {
    const properties = propertiesOf(place, 'Management', UNDEFINED, '')
    return { type: 'ClusterManagement', properties, ...common(place), totalCost }
  }
  const properties = propertiesOf(
    place,
    resource.kind === 'volume' ? 'Storage' : 'Network',
    resource.objectName === '' ? resource.name : resource.objectName,
    resource.uid,
  )
  if (resource.kind === 'balancer') {
    const extra = { adjustment: 0, private: false, ip: '' }
    return { type: 'LoadBalancer', properties, ...common(place), ...extra, totalCost }
  }
  const byteHours = (Number(resource.unitSeconds) / SECONDS_PER_HOUR) * BYTES_PER_KIB
  const { minutes } = common(place)
  return {
    type: 'Disk',
    properties,
    ...common(place),
    ...{ byteHours: rounded(byteHours), bytes: minutes === 0 ? 0 : rounded(byteHours / (minutes / 60)) },
    ...{ byteHoursUsed: null, byteUsageMax: null, breakdown: null, adjustment: 0, totalCost },
    ...{ storageClass: '', volumeName: resource.objectName },
    ...{ claimName: resource.name, claimNamespace: resource.namespace },
  }
}

/** Provider, account, project, category, cluster, type, service, provider ID and name, as in OpenCost. */
function keyed(asset: Asset): Keyed {
  const { provider, category, cluster, service, providerID, name } = asset.properties
  const parts = [provider, UNDEFINED, UNDEFINED, category, cluster, asset.type, service, providerID, name]
  return { key: parts.map((part) => (part === '' ? UNDEFINED : part.replaceAll('/', '-'))).join('/'), asset }
}

function tooMany(): Problem {
  const detail = `the window has more than ${rowsMax} assets; request a shorter window`
  const errors = [{ parameter: 'window', code: 'too_many_rows', detail }]
  return new Problem('invalid_parameter', `window: ${detail}.`, { errors })
}
