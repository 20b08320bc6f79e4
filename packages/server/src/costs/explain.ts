import type { ExplainedResource, Explanation, Figure } from '@plimsoll/contract'
import { formatDecimal, RESOURCES, roundToNumber, type Decimal, type Resource } from '@plimsoll/engine'
import { usdFor } from '@plimsoll/engine/pricing'
import { isCollecting } from '../clusters/index.ts'
import { type CoveredHours, listKnownNodes, loadCover, loadHourlyCover } from '../ingest/index.ts'
import { listWrittenHours } from './queries/data-quality.ts'
import type { Db } from '../platform/db/database.ts'
import { sumHourly, type HourlySource, type HourlyTotals } from './queries/hourly-quantities.ts'
import { sumNodes, type NodeTotals } from './queries/quantities.ts'
import { loadRates, nodeRatesOf, type RateRow } from '../prices/index.ts'
import { dataStatus } from './data-status.ts'
import { cloudResourceResourcesOf, loadCloudResourceReceipt } from './explain-cloud-resources.ts'
import { descending, OTHER } from './idle-costs.ts'
import { hoursIn, presentWindow, type HourWindow } from './parse-window.ts'
import { isTenant, type Receipt } from './receipt.ts'

const nodesShownMax = 100

/** The terms of a compute figure. Tenants have no capacity: their total is their allocation. */
type Terms = readonly [plus: string] | readonly [plus: string, minus: string]

const ofNodes: Partial<Record<Figure, Terms>> = {
  total: ['capacity'],
  workload: ['used'],
  workload_idle: ['alloc', 'used'],
  cluster_idle: ['capacity', 'alloc'],
  system_reserved: ['reserved'],
  unmeasured: ['unmeasured'],
}

const ofTenants: Partial<Record<Figure, Terms>> = {
  total: ['alloc'],
  workload: ['used'],
  workload_idle: ['alloc', 'used'],
  unmeasured: ['unmeasured'],
}

const units: Record<Resource, string> = {
  cpu: 'microcore-seconds',
  memory: 'KiB-seconds',
  gpu: 'GPU part-seconds',
}

const termsOf = ({ figure, of }: Pick<Receipt, 'figure' | 'of'>) => (isTenant(of) ? ofTenants : ofNodes)[figure]

/** The resources of a figure of this kind. */
export function resourcesOf({ figure, of }: Pick<Receipt, 'figure' | 'of'>): readonly ExplainedResource[] {
  const compute = termsOf({ figure, of }) ? RESOURCES : []
  return [...compute, ...cloudResourceResourcesOf({ figure, of })]
}

export async function loadExplanation(
  tx: Db,
  clusterId: string,
  window: HourWindow,
  receipt: Receipt,
): Promise<Explanation> {
  const cover = await loadHourlyCover(tx, clusterId, window)
  const compute = await loadCompute(tx, clusterId, { window, cover, receipt })
  const cloudResources = await loadCloudResourceReceipt(tx, cover, receipt)
  const total = compute.total + cloudResources.total
  const written = await listWrittenHours(tx, clusterId, window)
  const amountOf = (hour: string) => (compute.hours.get(hour) ?? 0n) + (cloudResources.hours.get(hour) ?? 0n)
  return {
    cluster_id: clusterId,
    window: presentWindow(window),
    data_status: dataStatus(
      { hours: hoursIn(window), hoursWithData: cover.hoursWithData },
      { isCollecting: await isCollecting(tx, clusterId) },
    ),
    currency: 'USD',
    figure: receipt.figure,
    formula: `sum over hours, resources and rates of ${[...compute.formula, ...cloudResources.formula].join(' and ')} × rate`,
    definitions: definitionsOf([...compute.formula, ...cloudResources.formula]),
    notes: notesOn(receipt, [...compute.parts, ...cloudResources.parts]),
    amount: roundToNumber(total),
    exact_amount: formatDecimal(total),
    parts: [...compute.parts, ...cloudResources.parts],
    hours: written.map(({ hour, revision }) => ({
      hour: hour.toISOString(),
      revision,
      exact_amount: formatDecimal(amountOf(hour.toISOString())),
    })),
    nodes: compute.nodes,
    assets: cloudResources.assets,
  }
}

const definitions: Record<string, string> = {
  alloc:
    'The allocation of the containers: their requests, plus usage above the requests up to the capacity of the node.',
  used: 'The used part of the allocation. Without usage data, this is the whole allocation; see `unmeasured`.',
  unmeasured: 'The part of `used` without usage data: gaps in the metrics, and all GPUs.',
  capacity: 'The total capacity of the nodes, requested or not.',
  reserved: 'The capacity that nodes reserve for the system and pods cannot request.',
  unit_seconds: 'Volume size × seconds. A load balancer or a control plane counts as 1.',
}

const definitionsOf = (formula: readonly string[]) =>
  Object.fromEntries(
    Object.entries(definitions).filter(([term]) => formula.some((each) => each.match(/[a-z_]+/g)?.includes(term))),
  )

const gpuNote =
  'GPUs are charged by request. GPU usage is not measured, so the cost of requested GPUs counts as `unmeasured`.'

const unknownNameNote =
  'No object with this name has costs in the window. Names and kinds are case-sensitive: Deployment, not deployment.'

/** Notes about a figure that shows usage, or about a name without data. */
function notesOn({ figure, of }: Receipt, parts: Explanation['parts']): string[] {
  if (isTenant(of) && figure === 'total' && parts.length === 0) return [unknownNameNote]
  const dependsOnUsage = figure === 'workload' || figure === 'workload_idle' || figure === 'unmeasured'
  return dependsOnUsage && parts.some(({ resource }) => resource === 'gpu') ? [gpuNote] : []
}

type ComputeReceipt = {
  total: Decimal
  formula: string[]
  parts: Explanation['parts']
  hours: ReadonlyMap<string, Decimal>
  nodes: Explanation['nodes']
}

async function loadCompute(
  tx: Db,
  clusterId: string,
  { window, cover, receipt }: { window: HourWindow; cover: CoveredHours; receipt: Receipt },
): Promise<ComputeReceipt> {
  const { of } = receipt
  const resources = RESOURCES.filter((resource) => receipt.resources.includes(resource))
  const terms = termsOf(receipt)
  const nodes = isTenant(of) ? null : []
  if (!terms || resources.length === 0) return { total: 0n, formula: [], parts: [], hours: new Map(), nodes }

  const columns = resources.flatMap((resource) => terms.map((term) => `${resource}_${term}`))
  const hourly = await sumHourly(tx, cover, sourceOf(receipt), columns)
  const rates = await loadRates(
    tx,
    hourly.map(({ rate_id: id }) => id),
  )
  const price = pricer(resources, terms, rates)
  return {
    total: hourly.reduce((sum, row) => sum + price(row), 0n),
    formula: [terms.length > 1 ? `(${terms.join(' − ')})` : terms[0]],
    parts: partsOf(hourly, resources, terms, rates),
    hours: sumBy(hourly, ({ hour }) => hour.toISOString(), price),
    nodes: await loadNodesOf(tx, clusterId, { window, receipt, price }),
  }
}

function sourceOf({ of }: Receipt): HourlySource {
  if (of.kind === 'namespace') return { table: 'namespace_hour', namespace: of.namespace }
  if (of.kind === 'workload') return { table: 'workload_hour', workload: of.workload }
  return of.kind === 'node' ? { table: 'node_hour', nodeUid: of.uid } : { table: 'cluster_hour' }
}

type Totals = HourlyTotals | NodeTotals
type Price = (row: Totals) => Decimal

const quantity = (row: Totals, resource: Resource, [plus, minus]: Terms): bigint =>
  valueOf(row, resource, plus) - (minus === undefined ? 0n : valueOf(row, resource, minus))

const valueOf = (row: Totals, resource: Resource, term: string) =>
  BigInt(String((row as Record<string, unknown>)[`${resource}_${term}`]))

function pricer(resources: readonly Resource[], terms: Terms, rates: ReadonlyMap<string, RateRow>): Price {
  const byId = new Map([...rates].map(([id, row]) => [id, nodeRatesOf(row)]))
  return (row) =>
    resources.reduce((sum, resource) => {
      const rate = byId.get(row.rate_id)
      if (!rate) throw new Error(`the rate ${row.rate_id} is missing`)
      return sum + usdFor(quantity(row, resource, terms), rate[resource])
    }, 0n)
}

/** One for each rate and resource, over all hours. */
function partsOf(
  hourly: readonly HourlyTotals[],
  resources: readonly Resource[],
  terms: Terms,
  rates: ReadonlyMap<string, RateRow>,
): Explanation['parts'] {
  return [...rates.values()].flatMap((rate) => {
    const own = hourly.filter(({ rate_id: id }) => id === rate.rate_id)
    return resources.flatMap((resource) => {
      const sumOf = (of: (row: HourlyTotals) => bigint) => own.reduce((sum, row) => sum + of(row), 0n)
      const whole = sumOf((row) => quantity(row, resource, terms))
      const values = terms.map((term) => [term, sumOf((row) => valueOf(row, resource, term)).toString()] as const)
      if (values.every(([, value]) => value === '0')) return []
      return [
        {
          resource,
          unit: units[resource],
          terms: Object.fromEntries(values),
          quantity: whole.toString(),
          rate: presentRate(rate, resource),
          exact_amount: formatDecimal(usdFor(whole, nodeRatesOf(rate)[resource])),
        },
      ]
    })
  })
}

const presentRate = (rate: RateRow, resource: Resource) => ({
  id: rate.rate_id,
  usd_per_unit_second: {
    cpu: rate.cpu_usd_per_microcore_second,
    memory: rate.memory_usd_per_kib_second,
    gpu: rate.gpu_usd_per_part_second,
  }[resource],
  node_usd_per_hour: rate.node_usd_per_hour,
  valid_from: rate.valid_from.toISOString(),
  estimated: rate.estimated,
  class: JSON.parse(rate.class_key) as unknown,
  evidence: rate.evidence,
})

async function loadNodesOf(
  tx: Db,
  clusterId: string,
  { window, receipt: { of }, price }: { window: HourWindow; receipt: Receipt; price: Price },
): Promise<Explanation['nodes']> {
  if (isTenant(of)) return null
  const totals = await sumNodes(tx, await loadCover(tx, clusterId, window))
  const own = of.kind === 'node' ? totals.filter(({ node_uid: uid }) => uid === of.uid) : totals
  const amounts = [...sumBy(own, ({ node_uid: uid }) => uid, price)].sort(([, a], [, b]) => descending(a, b))
  const shown = amounts.slice(0, nodesShownMax)
  const names = await listKnownNodes(
    tx,
    clusterId,
    shown.map(([uid]) => uid),
  )
  const nameOf = new Map(names.map(({ uid, name }) => [uid, name]))
  const rest = amounts.slice(nodesShownMax)
  const left = rest.reduce((sum, [, usd]) => sum + usd, 0n)
  return [
    ...shown.map(([uid, usd]) => ({ node_uid: uid, node: nameOf.get(uid) ?? uid, exact_amount: formatDecimal(usd) })),
    ...(rest.length === 0 ? [] : [{ node_uid: OTHER, node: OTHER, exact_amount: formatDecimal(left) }]),
  ]
}

function sumBy<Row extends Totals>(rows: readonly Row[], keyOf: (row: Row) => string, price: Price) {
  const sums = new Map<string, Decimal>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + price(row))
  return sums
}
