import { Type, type Static } from 'typebox'
import { Closed, includeOf, Nullable, Timestamp } from './common.ts'
import { PriceOverride } from './price-overrides.ts'
import { asOfDateNote, sourceFields } from './price-source.ts'

export const priceKinds = ['listed', 'estimated', 'unpriced', 'override', 'custom'] as const
export type PriceKind = (typeof priceKinds)[number]

const rate = (what: string) => Nullable(Type.Number(), `USD per ${what}; null: not priced`)

const priceFields = {
  kind: Type.Unsafe<PriceKind>({
    type: 'string',
    enum: [...priceKinds],
    description:
      '`listed`: in the price list · `estimated`: derived from the price list, see `reason` · `override`: price override · `custom`: custom rates · `unpriced`: no price known',
  }),
  usd_per_hour: rate('hour, discount and override included'),
}

const listSource = sourceFields('price override, or no source lists the price')

const ClassPrice = Type.Object(
  {
    ...priceFields,
    list_usd_per_hour: rate('hour in the price list, before discount and override'),
    discount_percent: Type.Number(),
    override_id: Nullable(Type.String(), 'ID of the override or discount behind the price'),
    ...listSource,
    book_version: Type.String(),
    reason: Nullable(Type.String(), 'Machine-readable reason why the price is estimated or missing'),
    note: Nullable(Type.String(), 'The same reason, for display'),
    effective_from: Timestamp,
  },
  { title: 'ClassPrice' },
)

const OtherPrice = Type.Object(priceFields, { title: 'OtherPrice' })

export const NodeClassPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    zone: Nullable(Type.String(), 'A local zone with its own prices'),
    instance_type: Type.String(),
    capacity_type: Type.String(),
    os: Type.String(),
    capacity: Type.Object({ vcpu: Type.Number(), memory_gib: Type.Number(), gpus: Type.Number() }),
    gpu_type: Nullable(Type.String()),
    nodes: Type.Integer({ description: 'Current number' }),
    last_seen_at: Timestamp,
    price: ClassPrice,
    rates: Type.Object({
      usd_per_vcpu_hour: rate('vCPU and hour'),
      usd_per_gib_hour: rate('GiB of memory and hour'),
      usd_per_gpu_hour: rate('GPU and hour'),
    }),
    on_demand: OtherPrice,
    spot: OtherPrice,
  },
  { title: 'NodeClassPrice' },
)

const billingUnits = ['gib-month', 'disk-month', 'hour'] as const
export type BillingUnit = (typeof billingUnits)[number]

const CloudResourcePrice = Type.Object(
  {
    kind: priceFields.kind,
    per: Type.Unsafe<BillingUnit>({
      type: 'string',
      enum: [...billingUnits],
      description: 'Billing unit',
    }),
    usd: rate('billing unit, including discount and custom rates'),
    list_usd: rate('billing unit in the price list'),
    discount_percent: Type.Number(),
    override_id: Nullable(Type.String(), 'ID of the custom rates or discount behind the price'),
    ...listSource,
    book_version: Type.String(),
    reason: Nullable(Type.String(), 'Machine-readable reason why the price is estimated or missing'),
    note: Nullable(Type.String(), 'The same reason, for display'),
    effective_from: Timestamp,
  },
  { title: 'AssetPrice' },
)

const seen = { last_seen_at: Timestamp, price: CloudResourcePrice }

const StorageClassPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    storage_class: Type.String({ description: 'Name in the price list' }),
    size_gib: Nullable(Type.Number(), 'Size, for disks billed by size'),
    volumes: Type.Integer({ description: 'Current number' }),
    total_gib: Type.Number(),
    ...seen,
  },
  { title: 'StorageClassPrice' },
)

const BalancerPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    type: Nullable(Type.String(), 'Null if the provider has one type, or if the agent does not report the type'),
    balancers: Type.Integer({ description: 'Current number' }),
    ...seen,
  },
  { title: 'BalancerPrice' },
)

const ControlPlanePrice = Type.Object(
  {
    provider: Type.String(),
    service: Type.String({ description: '`self-managed` if it runs on nodes of the cluster' }),
    support: Nullable(
      Type.String(),
      '`extended` if the provider charges extra because the Kubernetes version is out of standard support, else `standard`; null if self-managed',
    ),
    ...seen,
  },
  { title: 'ControlPlanePrice' },
)

const PriceSource = Type.Object(
  {
    id: Type.String(),
    repository: Type.String({ description: 'Repository or web page; `(derived)` if computed from other sources' }),
    path: Type.String(),
    as_of: Type.String({
      description: 'Date or dates in the source: a day, several days, or a year',
    }),
    as_of_date: Nullable(Type.String({ format: 'date' }), 'Latest of these dates; null without a date'),
  },
  { title: 'PriceSource' },
)

export const priceIncludes = ['price_overrides'] as const

export const PricesQuery = Closed({
  cluster_id: Type.String({ minLength: 1, maxLength: 100 }),
  ...includeOf(priceIncludes),
})

export const Prices = Type.Object(
  {
    cluster_id: Type.String(),
    currency: Type.String(),
    hour: Type.String({ ...Timestamp, description: 'The current hour, to which these prices apply' }),
    book: Type.Object({
      version: Type.String(),
      as_of: Type.String({ format: 'date', description: asOfDateNote }),
      as_of_date: Type.String({ format: 'date', description: 'Date of its latest price' }),
    }),
    repricing_from: Nullable(Timestamp, 'Stored hours from here on are still being repriced; null: all are up to date'),
    node_classes: Type.Array(NodeClassPrice),
    storage_classes: Type.Array(StorageClassPrice),
    load_balancers: Type.Array(BalancerPrice),
    control_plane: Type.Array(ControlPlanePrice, { description: 'Several entries if the fee changed' }),
    sources: Type.Array(PriceSource, { description: 'Sources of the prices above, each with its date' }),
    overrides: Type.Array(PriceOverride, { description: 'Active overrides for this cluster' }),
    price_overrides: Type.Optional(
      Type.Array(PriceOverride, {
        description:
          'With `include=price_overrides`: the first page of GET /api/v1/price-overrides, for all clusters that the caller can see',
      }),
    ),
  },
  { title: 'Prices', description: 'Prices and rates have up to 10 decimals' },
)

export type NodeClassPrice = Static<typeof NodeClassPrice>
export type StorageClassPrice = Static<typeof StorageClassPrice>
export type Prices = Static<typeof Prices>
