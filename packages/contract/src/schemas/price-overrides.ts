import { Type, type Static } from 'typebox'
import { Closed, ClusterId, Name, Nullable, pageFields, pageQuery, Timestamp, VisibleText } from './common.ts'

export const priceOverrideKinds = ['node_price', 'discount', 'custom_rates'] as const
export type PriceOverrideKind = (typeof priceOverrideKinds)[number]

const Kind = Type.Unsafe<PriceOverrideKind>({
  type: 'string',
  enum: [...priceOverrideKinds],
  description:
    '`node_price`: full price of an instance type · `discount`: percent off the list prices of a provider · `custom_rates`: monthly price of a vCPU, a GiB and a GPU in a cluster',
})

const CapacityType = Type.Unsafe<'on-demand' | 'spot'>({ type: 'string', enum: ['on-demand', 'spot'] })
const Os = Type.Unsafe<'linux' | 'windows'>({ type: 'string', enum: ['linux', 'windows'] })

/** A number, or a text to keep every digit. The engine validates the value. */
const Amount = (description: string) =>
  Type.Union([Type.Number(), Type.String({ minLength: 1, maxLength: 64 })], { description })

const place = VisibleText({ minLength: 1, maxLength: 100 })

export const CreatePriceOverrideBody = Closed(
  {
    kind: Kind,
    cluster_id: Type.Optional(ClusterId('Only this cluster; required for custom rates')),
    provider: Type.Optional(place),
    region: Type.Optional(place),
    instance_type: Type.Optional(place),
    capacity_type: Type.Optional(
      Type.Unsafe<'on-demand' | 'spot'>({ ...CapacityType, description: 'Default: on-demand and spot' }),
    ),
    os: Type.Optional(Type.Unsafe<'linux' | 'windows'>({ ...Os, default: 'linux' })),
    usd_per_hour: Type.Optional(Amount('0 to 10,000; 0 means free')),
    percent: Type.Optional(Amount('0 to 100')),
    usd_per_vcpu_month: Type.Optional(Amount('A month is 730 hours')),
    usd_per_gib_month: Type.Optional(Amount('Price of memory')),
    usd_per_gpu_month: Type.Optional(Amount('Price of a whole GPU')),
    usd_per_storage_gib_month: Type.Optional(Amount('Price of volumes')),
    effective_from: Type.Optional(
      Type.String({
        ...Timestamp,
        description:
          'A full hour; default: the current hour. An earlier hour reprices the stored history; quantities stay the same',
      }),
    ),
    effective_until: Type.Optional(
      Type.String({ ...Timestamp, description: 'A full hour at which the override ends' }),
    ),
    note: Type.Optional(Name),
  },
  {
    title: 'CreatePriceOverrideBody',
    examples: [
      { kind: 'discount', provider: 'aws', percent: 10, effective_from: '2026-01-01T00:00:00Z' },
      { kind: 'node_price', provider: 'aws', instance_type: 'm5.xlarge', usd_per_hour: '0.161' },
    ],
  },
)

export const PriceOverride = Type.Object(
  {
    id: Type.String({ examples: ['prc_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    kind: Kind,
    cluster_id: Nullable(Type.String(), 'Null: every cluster'),
    provider: Nullable(Type.String(), 'Null: any'),
    region: Nullable(Type.String(), 'Null: any'),
    instance_type: Nullable(Type.String()),
    capacity_type: Nullable(CapacityType, 'Null: on-demand and spot'),
    os: Nullable(Os),
    usd_per_hour: Nullable(Type.Number()),
    percent: Nullable(Type.Number()),
    usd_per_vcpu_month: Nullable(Type.Number()),
    usd_per_gib_month: Nullable(Type.Number()),
    usd_per_gpu_month: Nullable(Type.Number()),
    usd_per_storage_gib_month: Nullable(Type.Number()),
    effective_from: Timestamp,
    effective_until: Nullable(Timestamp, 'End, exclusive; null: no end'),
    note: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { title: 'PriceOverride' },
)

export const priceOverridePageSize = { max: 500, default: 100 }

export const ListPriceOverridesQuery = Closed({
  ...pageQuery(priceOverridePageSize.max, priceOverridePageSize.default),
  cluster_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Overrides that apply to this cluster, including those for all clusters',
    }),
  ),
  include_ended: Type.Optional(Type.Boolean({ default: false })),
})

export const EndPriceOverrideQuery = Closed({
  from: Type.Optional(
    Type.String({
      ...Timestamp,
      description:
        'Full hour at which the override ends, not before its start. Default: the current hour, or its start if later. To remove the override completely, send its `effective_from`',
    }),
  ),
})

export const PriceOverrideList = Type.Object(
  { price_overrides: Type.Array(PriceOverride), ...pageFields },
  { title: 'PriceOverrideList' },
)

export type CreatePriceOverrideBody = Static<typeof CreatePriceOverrideBody>
export type PriceOverride = Static<typeof PriceOverride>
export type PriceOverrideList = Static<typeof PriceOverrideList>
