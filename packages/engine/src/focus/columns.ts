import type { Decimal } from '../decimal.ts'
import { ratioText, unitPriceOf } from './charge-rows.ts'
import type { FocusCharge, FocusRow } from './focus-row.ts'
import { focusMeters, serviceNameOf } from './meters.ts'

export const focusVersions = ['1.2', '1.3'] as const
export type FocusVersion = (typeof focusVersions)[number]

type Typed<Part> =
  | { type: 'text'; of: (part: Part) => string | null }
  | { type: 'decimal'; of: (part: Part) => Decimal | null }
  | { type: 'number'; of: (part: Part) => number | null }
  | { type: 'time'; of: (part: Part) => Date }

/** A column whose values depend on the charge alone is the same in all rows of the charge. */
export type FocusColumn = { name: string } & (
  ({ from: 'charge' } & Typed<FocusCharge>) | ({ from: 'row' } & Typed<FocusRow>)
)

/** The method of the allocation, as `docs/how-it-works/allocation.md` describes it. */
export const ALLOCATED_METHOD_ID = 'plimsoll-request-or-use-v1'

const fixed = (name: string, value: string | null): FocusColumn => text(name, () => value)
const text = (name: string, of: (charge: FocusCharge) => string | null): FocusColumn => ({
  ...{ name, from: 'charge', type: 'text', of },
})
const price = (name: string, of: (charge: FocusCharge) => Decimal): FocusColumn => ({
  ...{ name, from: 'charge', type: 'decimal', of },
})
const time = (name: string, of: (charge: FocusCharge) => Date): FocusColumn => ({
  ...{ name, from: 'charge', type: 'time', of },
})
const rowText = (name: string, of: (row: FocusRow) => string | null): FocusColumn => ({
  ...{ name, from: 'row', type: 'text', of },
})
const cost = (name: string, of: (row: FocusRow) => Decimal): FocusColumn => ({
  ...{ name, from: 'row', type: 'decimal', of },
})
const quantity = (name: string, of: (row: FocusRow) => number | null): FocusColumn => ({
  ...{ name, from: 'row', type: 'number', of },
})

const meterOf = ({ meter }: FocusCharge) => focusMeters[meter]
const listPrice = (charge: FocusCharge) => unitPriceOf(charge.price.list, charge)
const contractedPrice = (charge: FocusCharge) => unitPriceOf(charge.price.contracted, charge)

/** Of FOCUS 1.2. Commitments and reservations have none: Plimsoll does not know them. */
const common: readonly FocusColumn[] = [
  fixed('AvailabilityZone', null),
  text('BillingAccountId', ({ scope }) => scope.installation.id),
  text('BillingAccountName', ({ scope }) => scope.installation.name),
  fixed('BillingAccountType', 'Plimsoll installation'),
  fixed('BillingCurrency', 'USD'),
  time('BillingPeriodEnd', ({ scope }) => startOfMonth(scope.from, 1)),
  time('BillingPeriodStart', ({ scope }) => startOfMonth(scope.from, 0)),
  fixed('ChargeCategory', 'Usage'),
  fixed('ChargeClass', null),
  fixed('ChargeFrequency', 'Usage-Based'),
  time('ChargePeriodEnd', ({ scope }) => scope.to),
  time('ChargePeriodStart', ({ scope }) => scope.from),
  fixed('CommitmentDiscountStatus', null),
  text('ConsumedUnit', (charge) => meterOf(charge).unit),
  price('ContractedUnitPrice', contractedPrice),
  fixed('InvoiceId', null),
  text('InvoiceIssuerName', ({ scope }) => scope.provider),
  price('ListUnitPrice', listPrice),
  text('PricingCategory', ({ origin }) => (origin.isSpot ? 'Dynamic' : 'Standard')),
  fixed('PricingCurrency', 'USD'),
  text('PricingUnit', (charge) => meterOf(charge).unit),
  text('ProviderName', ({ scope }) => scope.provider),
  text('PublisherName', ({ scope }) => scope.provider),
  text('RegionId', ({ origin }) => origin.region),
  text('RegionName', ({ origin }) => origin.region),
  text('ResourceId', ({ origin }) => origin.id),
  text('ResourceName', ({ origin }) => origin.name),
  text('ResourceType', ({ origin }) => origin.type),
  text('ServiceCategory', (charge) => meterOf(charge).category),
  text('ServiceName', (charge) => serviceNameOf(meterOf(charge))),
  text('ServiceSubcategory', (charge) => meterOf(charge).subcategory),
  text('SkuId', ({ origin }) => origin.skuId),
  text('SkuMeter', (charge) => meterOf(charge).title),
  fixed('SkuPriceDetails', null),
  text('SkuPriceId', ({ origin }) => origin.skuPriceId),
  text('SubAccountId', ({ scope }) => scope.cluster.id),
  text('SubAccountName', ({ scope }) => scope.cluster.name),
  fixed('SubAccountType', 'Kubernetes cluster'),
]

const ofRows: readonly FocusColumn[] = [
  cost('BilledCost', (row) => row.billedCost),
  rowText('ChargeDescription', describe),
  quantity('ConsumedQuantity', (row) => row.quantity),
  cost('ContractedCost', (row) => row.contractedCost),
  cost('EffectiveCost', (row) => row.effectiveCost),
  cost('ListCost', (row) => row.listCost),
  cost('PricingCurrencyEffectiveCost', (row) => row.effectiveCost),
  quantity('PricingQuantity', (row) => row.quantity),
  rowText('Tags', ({ owner }) => owner.tags),
]

const own: readonly FocusColumn[] = [
  rowText('x_Namespace', ({ owner }) => owner.namespace),
  rowText('x_WorkloadKind', ({ owner }) => owner.kind),
  rowText('x_WorkloadName', ({ owner }) => owner.name),
  rowText('x_Pod', ({ owner }) => owner.pod),
  rowText('x_Node', ({ owner }) => owner.node),
  rowText('x_CostClass', ({ owner }) => owner.costClass),
  quantity('x_Requested', (row) => row.requested),
  quantity('x_Used', (row) => row.used),
]

const pricing: readonly FocusColumn[] = [
  price('PricingCurrencyContractedUnitPrice', contractedPrice),
  price('PricingCurrencyListUnitPrice', listPrice),
]

const added: readonly FocusColumn[] = [
  text('HostProviderName', ({ scope }) => scope.provider),
  text('ServiceProviderName', ({ scope }) => scope.provider),
  fixed('AllocatedMethodId', ALLOCATED_METHOD_ID),
  rowText('AllocatedMethodDetails', methodDetails),
  rowText('AllocatedResourceId', allocatedResourceId),
  rowText('AllocatedResourceName', ({ owner }) => owner.pod ?? owner.name ?? owner.namespace),
  rowText('AllocatedTags', ({ owner }) => owner.tags),
]

/** Custom columns are last, as FOCUS demands. */
export const focusColumns = (version: FocusVersion): readonly FocusColumn[] => [
  ...common,
  ...pricing,
  ...ofRows,
  ...(version === '1.3' ? added : []),
  ...own,
]

const startOfMonth = (at: Date, monthsLater: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1))

function describe({ charge, owner }: FocusRow): string {
  const what = focusMeters[charge.meter].title
  if (owner.costClass === 'idle') return `${what}, unallocated`
  if (owner.costClass === 'overhead') return `${what} of the cluster`
  if (owner.costClass !== 'workload') return `${what}, ${owner.costClass}`
  return `${what} of ${owner.pod ?? owner.name ?? owner.namespace ?? ''}`
}

function methodDetails({ ratio, quantity: amount, charge }: FocusRow): string {
  const { unit } = focusMeters[charge.meter]
  return `{"Elements":[{"AllocatedRatio":${ratioText(ratio)},"UsageQuantity":${amount},"UsageUnit":"${unit}"}]}`
}

/** Null: no resource received the cost. */
function allocatedResourceId({ charge, owner }: FocusRow): string | null {
  if (owner.costClass !== 'workload') return null
  const { cluster } = charge.scope
  return [cluster.name, owner.namespace, owner.kind, owner.name, owner.pod].filter((part) => part !== null).join('/')
}
