/**
 * One declaration per column with three uses: the compiler (the CSV column), the validation of a book (plausible
 * values) and the row types. Money columns are nano-dollars; `max` is in dollars, far above any list price.
 */
export type Column =
  | { kind: 'text'; csv: string; optional: boolean }
  | { kind: 'usd'; csv: string; optional: boolean; max: number }
  | { kind: 'number'; csv: string; optional: boolean; max: number; within?: RegExp }

export type Columns = Record<string, Column>

type Base<C> = C extends { kind: 'text' } ? string : number
type Value<C> = C extends { optional: true } ? Base<C> | undefined : Base<C>
export type RowOf<S extends Columns> = { readonly [K in keyof S]: Value<S[K]> }

const text = (csv: string) => ({ kind: 'text', csv, optional: false }) as const
const maybeText = (csv: string) => ({ kind: 'text', csv, optional: true }) as const
const usd = (csv: string, max: number) => ({ kind: 'usd', csv, optional: false, max }) as const
const maybeUsd = (csv: string, max: number) => ({ kind: 'usd', csv, optional: true, max }) as const
const number = (csv: string, max: number) => ({ kind: 'number', csv, optional: false, max }) as const
const maybeNumber = (csv: string, max: number) => ({ kind: 'number', csv, optional: true, max }) as const
const numberWithin = (csv: string, within: RegExp, max: number) =>
  ({ kind: 'number', csv, optional: true, max, within }) as const

const evidence = { source: text('source'), asOf: text('as_of') }

export const tableColumns = {
  storage: {
    provider: text('provider'),
    region: text('region'),
    storageClass: text('storage_class'),
    tier: maybeText('tier'),
    tierGib: maybeNumber('tier_gib', 1e6),
    nanoUsdPerDiskMonth: maybeUsd('usd_tier_month', 50_000),
    nanoUsdPerGibMonth: maybeUsd('usd_gib_month', 10),
    nanoUsdPerIopsMonth: maybeUsd('usd_iops_month', 1),
    nanoUsdPerMibpsMonth: maybeUsd('usd_mibps_month', 10),
    quality: text('quality'),
    note: maybeText('note'),
    ...evidence,
  },
  network: {
    provider: text('provider'),
    region: text('region'),
    balancerType: text('lb_type'),
    balancerNanoUsdPerHour: usd('lb_usd_hour', 10),
    balancerQuality: text('lb_quality'),
    balancerUnitNanoUsd: maybeUsd('lb_data_usd_gib', 1),
    internetEgressNanoUsdPerGib: maybeUsd('internet_egress_usd_gib', 5),
    crossZoneNanoUsdPerGib: maybeUsd('cross_zone_usd_gib', 5),
    crossRegionNanoUsdPerGib: maybeUsd('cross_region_usd_gib', 5),
    natNanoUsdPerHour: maybeUsd('nat_usd_hour', 10),
    natNanoUsdPerGib: maybeUsd('nat_usd_gib', 5),
    publicIpv4NanoUsdPerHour: maybeUsd('public_ipv4_usd_hour', 1),
    note: maybeText('note'),
    ...evidence,
  },
  controlPlane: {
    provider: text('provider'),
    service: text('service'),
    tier: text('tier'),
    nanoUsdPerHour: maybeUsd('usd_hour', 10),
    quality: text('quality'),
    note: maybeText('note'),
    source: text('source'),
    asOf: maybeText('as_of'),
  },
  serverless: {
    provider: text('provider'),
    region: text('region'),
    product: text('product'),
    arch: text('arch'),
    nanoUsdPerVcpuHour: usd('usd_vcpu_hour', 1),
    nanoUsdPerGibHour: usd('usd_gib_hour', 1),
    nanoUsdPerEphemeralGibHour: maybeUsd('usd_ephemeral_gib_hour', 0.1),
    quality: text('quality'),
    ...evidence,
  },
  fallback: {
    provider: text('provider'),
    region: text('region'),
    capacityType: text('capacity_type'),
    resource: text('resource'),
    nanoUsd: usd('usd', 100),
    unit: text('unit'),
    source: text('source'),
    note: maybeText('note'),
  },
  spotRatios: {
    provider: text('provider'),
    family: text('family'),
    median: number('spot_to_on_demand_median', 1),
    p10: number('p10', 1),
    p90: number('p90', 1),
    samples: number('samples', 1e7),
  },
  commitments: {
    provider: text('provider'),
    region: text('region'),
    family: text('family'),
    kind: text('kind'),
    term: text('term'),
    payment: text('payment'),
    discount: number('discount_vs_on_demand', 0.95),
    ...evidence,
  },
  components: {
    provider: text('provider'),
    region: text('region'),
    family: text('family_or_shape'),
    nanoUsdPerVcpuHour: usd('usd_vcpu_hour', 1),
    nanoUsdPerGibHour: usd('usd_gib_hour', 1),
    spotNanoUsdPerVcpuHour: maybeUsd('spot_usd_vcpu_hour', 1),
    spotNanoUsdPerGibHour: maybeUsd('spot_usd_gib_hour', 1),
    /** The price factor of a custom machine type over its parts; families without the factor have no custom types. */
    customFactor: numberWithin('note', /x([\d.]+) for custom/, 2),
    quality: text('quality'),
    ...evidence,
  },
  gpuAddons: {
    provider: text('provider'),
    region: text('region'),
    gpuType: text('gpu_type'),
    nanoUsdPerHour: usd('on_demand_usd_hour', 50),
    spotNanoUsdPerHour: maybeUsd('spot_usd_hour', 50),
    ...evidence,
  },
  eniLimits: {
    instanceType: text('instance_type'),
    maxEnis: number('max_enis', 1000),
    ipv4PerEni: number('ipv4_per_eni', 1000),
    maxPods: number('max_pods_vpc_cni_no_prefix', 1e5),
  },
  /** Derived by the compiler: the price of a GPU without its host. */
  gpuRates: {
    provider: text('provider'),
    gpuType: text('gpu_type'),
    nanoUsdPerHour: usd('usd_hour', 100),
    withHostNanoUsdPerHour: usd('with_host_usd_hour', 100),
    prices: number('prices', 1e6),
    source: text('source'),
  },
} satisfies Record<string, Columns>

export type TableName = keyof typeof tableColumns

/** The key columns of the lookups. */
export const tableKeys: { [T in TableName]: (keyof (typeof tableColumns)[T] & string)[] } = {
  storage: ['provider', 'region', 'storageClass'],
  network: ['provider', 'region'],
  controlPlane: ['provider', 'service'],
  serverless: ['provider', 'region', 'product'],
  fallback: ['provider', 'region', 'capacityType', 'resource'],
  spotRatios: ['provider', 'family'],
  commitments: ['provider', 'region', 'family'],
  components: ['provider', 'region', 'family'],
  gpuAddons: ['provider', 'region', 'gpuType'],
  gpuRates: ['provider', 'gpuType'],
  eniLimits: ['instanceType'],
}

export type Row<T extends TableName> = RowOf<(typeof tableColumns)[T]>

/** No instance type costs two thousand dollars per hour; a monthly price read as hourly, or cents as dollars, does. */
export const nodeUsdPerHourMax = 2_000
