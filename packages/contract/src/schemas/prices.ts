import { Type, type Static } from 'typebox'
import { Closed, includeOf, Nullable, Timestamp } from './common.ts'
import { PriceOverride } from './price-overrides.ts'
import { asOfDateNote, sourceFields } from './price-source.ts'

export const priceKinds = ['listed', 'estimated', 'unpriced', 'override', 'custom'] as const
export type PriceKind = (typeof priceKinds)[number]

const rate = (what: string) => Nullable(Type.Number(), `USD per ${what}; null: unpriced`)

const priceFields = {
  kind: Type.Unsafe<PriceKind>({
    type: 'string',
    enum: [...priceKinds],
    description:
      '`listed` in the price book · `estimated` from it, `reason` says how · `override` a price somebody set · `custom` rates somebody set · `unpriced`, never 0',
  }),
  usd_per_hour: rate('hour, discount and override included'),
}

const listSource = sourceFields('somebody set it, or no source lists it')

const ClassPrice = Type.Object(
  {
    ...priceFields,
    list_usd_per_hour: rate('hour by the price book, before discount and override'),
    discount_percent: Type.Number(),
    override_id: Nullable(Type.String(), 'The override or discount that makes the price'),
    ...listSource,
    book_version: Type.String(),
    reason: Nullable(Type.String(), 'For programs: why it is an estimate or missing'),
    note: Nullable(Type.String(), 'For people: the same'),
    effective_from: Timestamp,
  },
  { title: 'ClassPrice' },
)

const OtherPrice = Type.Object(priceFields, { title: 'OtherPrice' })

export const NodeClassPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    zone: Nullable(Type.String(), 'A local zone that has prices of its own'),
    instance_type: Type.String(),
    capacity_type: Type.String(),
    os: Type.String(),
    capacity: Type.Object({ vcpu: Type.Number(), memory_gib: Type.Number(), gpus: Type.Number() }),
    gpu_type: Nullable(Type.String()),
    nodes: Type.Integer({ description: 'How many there are now' }),
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

const soldPer = ['gib-month', 'disk-month', 'hour'] as const

const AssetPrice = Type.Object(
  {
    kind: priceFields.kind,
    per: Type.Unsafe<(typeof soldPer)[number]>({
      type: 'string',
      enum: [...soldPer],
      description: 'What it is sold by',
    }),
    usd: rate('what it is sold by, discount and rates included'),
    list_usd: rate('the same by the price book'),
    discount_percent: Type.Number(),
    override_id: Nullable(Type.String(), 'The rates or the discount that make the price'),
    ...listSource,
    book_version: Type.String(),
    reason: Nullable(Type.String(), 'For programs: why it is an estimate or missing'),
    note: Nullable(Type.String(), 'For people: the same'),
    effective_from: Timestamp,
  },
  { title: 'AssetPrice' },
)

const seen = { last_seen_at: Timestamp, price: AssetPrice }

const StorageClassPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    storage_class: Type.String({ description: 'As the price book calls it' }),
    size_gib: Nullable(Type.Number(), 'Of disks that are sold in sizes'),
    volumes: Type.Integer({ description: 'How many there are now' }),
    total_gib: Type.Number(),
    ...seen,
  },
  { title: 'StorageClassPrice' },
)

const BalancerPrice = Type.Object(
  {
    provider: Type.String(),
    region: Type.String(),
    type: Nullable(Type.String(), 'Null where there is one kind, or the agent does not say'),
    balancers: Type.Integer({ description: 'How many there are now' }),
    ...seen,
  },
  { title: 'BalancerPrice' },
)

const ControlPlanePrice = Type.Object(
  {
    provider: Type.String(),
    service: Type.String({ description: '`self-managed` where its machines are nodes of the cluster' }),
    support: Nullable(
      Type.String(),
      '`extended` while the version of Kubernetes is out of standard support at a provider that charges more for it, else `standard`; null where nobody else runs it',
    ),
    ...seen,
  },
  { title: 'ControlPlanePrice' },
)

const PriceSource = Type.Object(
  {
    id: Type.String(),
    repository: Type.String({ description: 'Or the page; `(derived)` where it was computed from the others' }),
    path: Type.String(),
    as_of: Type.String({
      description: 'The date or dates of its facts, as the source states them: a day, several days, or a year',
    }),
    as_of_date: Nullable(
      Type.String({ format: 'date' }),
      'The newest day among them; null where the source names none',
    ),
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
    hour: Type.String({ ...Timestamp, description: 'The hour that these prices are of: the present one' }),
    book: Type.Object({
      version: Type.String(),
      as_of: Type.String({ format: 'date', description: asOfDateNote }),
      as_of_date: Type.String({ format: 'date', description: 'The date of its newest fact' }),
    }),
    repricing_from: Nullable(Timestamp, 'Stored hours from here on are still being priced anew; null: all are'),
    node_classes: Type.Array(NodeClassPrice),
    storage_classes: Type.Array(StorageClassPrice),
    load_balancers: Type.Array(BalancerPrice),
    control_plane: Type.Array(ControlPlanePrice, { description: 'More than one where it was something else before' }),
    sources: Type.Array(PriceSource, { description: 'Those that the prices above name, each with its own date' }),
    overrides: Type.Array(PriceOverride, { description: 'Those in force for this cluster' }),
    price_overrides: Type.Optional(
      Type.Array(PriceOverride, {
        description:
          'With `include=price_overrides`: the first page of GET /api/v1/price-overrides, for every cluster that the caller sees',
      }),
    ),
  },
  { title: 'Prices', description: 'Prices and rates are no amounts of money: they have up to 10 decimals' },
)

export type NodeClassPrice = Static<typeof NodeClassPrice>
export type StorageClassPrice = Static<typeof StorageClassPrice>
export type Prices = Static<typeof Prices>
