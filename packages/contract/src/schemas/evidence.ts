import { LEVELS, type Level as LevelName } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { sourceFields } from './price-source.ts'

export const Level = Type.Unsafe<LevelName>({ type: 'string', enum: [...LEVELS] })

const Percentiles = Type.Object({
  p50: Type.Number(),
  p90: Type.Number(),
  p95: Type.Number(),
  p99: Type.Number(),
  max: Type.Number(),
})

const series = Type.Array(Nullable(Type.Number()))
const Band = Type.Object({ p50: series, p90: series, max: series })

const Sizes = { cpu_millicores: Nullable(Type.Number()), memory_bytes: Nullable(Type.Number()) }

const shortage = {
  minutes_short: Type.Number({ description: 'Minutes in the window with CPU usage above the request' }),
  volume_short: Type.Number({ description: 'CPU usage above the request ÷ total CPU usage' }),
  oom_days: Type.Number({ description: 'Days in the window with memory usage above the request' }),
}

const notedSource = sourceFields('price override, mean of several prices, or not recorded')

const SavingLine = Type.Object(
  {
    what: Type.String(),
    quantity: Nullable(
      Type.Number(),
      'Negative: new cost that replaces the saved cost. Null if the line has no unit price, for example the cost of recent runs',
    ),
    unit: Nullable(Type.String(), 'Unit: node, core, GiB, disk, …'),
    usd_per_unit: Nullable(Type.Number(), 'USD per unit, and per hour or month'),
    per: Nullable(Type.Unsafe<'hour' | 'month'>({ type: 'string', enum: ['hour', 'month'] })),
    hours: Nullable(Type.Number(), 'Hours per month, for hourly prices'),
    ...notedSource,
    estimated: Type.Boolean({ description: 'The price is estimated' }),
    usd_per_month: Money('quantity × usd_per_unit, × hours for hourly prices'),
  },
  { title: 'SavingLine' },
)

const Leak = Type.Object(
  {
    bytes_per_hour: Type.Number({ description: 'Growth of one pod' }),
    hours_to_kill: Type.Number({ description: 'Time to the next OOM kill with the current limit' }),
    hours_to_kill_proposed: Nullable(Type.Number(), 'The same with the proposed limit; null: no limit'),
  },
  { title: 'MemoryLeak', description: 'Memory that grows until the container is killed or restarted' },
)

const Demand = Type.Object(
  {
    limits: Type.Object({ current: Type.Object(Sizes), proposed: Type.Object(Sizes) }),
    unknown_above_limit: Type.Object(
      { cpu: Type.Boolean(), memory: Type.Boolean() },
      {
        description:
          'True: usage reached the limit (throttled, OOM-killed, or above 90 % of the memory limit). The demand above the limit is unknown, so the back-test cannot confirm any value as safe',
      },
    ),
    oom_kills: Type.Integer({ description: 'In the window' }),
    leak: Nullable(Leak, 'Null: no sign of a memory leak'),
  },
  {
    title: 'Demand',
    description:
      'Whether the container reached its limits, so that demand above the limits is unknown. Absent for rules without limits, and in older evidence',
  },
)

/** Contains the data of the chart and of the explanation, so that a page needs one call. */
export const Evidence = Type.Object(
  {
    written_at: Type.Unsafe<string>({
      ...Timestamp,
      description: 'Time of the snapshot behind this evidence',
    }),
    window: Nullable(Type.Object({ from: Timestamp, to: Timestamp, hours: Type.Integer() })),
    sample_count: Nullable(Type.Integer()),
    coverage: Nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Share of the expected samples'),
    usage: Type.Object({ cpu_millicores: Nullable(Percentiles), memory_bytes: Nullable(Percentiles) }),
    requests: Type.Object({ current: Type.Object(Sizes), proposed: Type.Object(Sizes) }),
    hourly: Type.Object(
      {
        cpu_millicores: Nullable(Band),
        memory_bytes: Nullable(Band),
        oom_kills: Type.Optional(
          Type.Array(Type.Integer(), { description: 'OOM kills of all pods; absent: none, or not recorded' }),
        ),
      },
      { description: 'One value per hour from the start of the window; null without measurements' },
    ),
    demand: Type.Optional(Demand),
    backtest: Type.Object(
      {
        standing_days: Nullable(Type.Number(), 'Days for which the back-test keeps a request'),
        results: Type.Array(
          Type.Object({
            who: Type.Unsafe<'current' | 'proposed' | 'vpa' | 'krr'>({
              type: 'string',
              enum: ['current', 'proposed', 'vpa', 'krr'],
            }),
            ...Sizes,
            ...shortage,
            risk: Level,
            estimated_savings: Nullable(
              Money('A month'),
              'Null if there is no current request, if several containers are affected, or if not recorded',
            ),
          }),
        ),
      },
      { description: 'Back-test: shortage in the window with each of these requests' },
    ),
    bankable_because: Nullable(
      Type.String(),
      'Why bankable and estimated savings differ, and whether the bankable savings are a share of a joint amount. Same as in the recommendation, always current',
    ),
    candidates: Type.Array(Type.Object({ ...Sizes, ...shortage, estimated_savings: Money('A month') }), {
      maxItems: 132,
      description:
        'Alternative requests with their effect, smallest first, including the current and the proposed request',
    }),
    prices: Type.Array(
      Type.Object({
        rate_id: Type.String(),
        node_class: Type.String({
          description: 'Description of the node class',
          examples: ['m5.xlarge, on-demand, AWS eu-central-1, 4 cores, 16 GiB'],
        }),
        node_usd_per_hour: Nullable(Type.Number()),
        cpu_usd_per_core_month: Nullable(Type.Number()),
        memory_usd_per_gib_month: Nullable(Type.Number()),
        gpu_usd_per_gpu_month: Nullable(Type.Number(), 'Null if the node has none, or if not recorded'),
        estimated: Type.Boolean(),
        ...notedSource,
      }),
      { description: 'Node prices behind the savings' },
    ),
    saving: Type.Object(
      {
        formula: Type.String({ description: 'Explanation from the rule, for display' }),
        lines: Type.Array(SavingLine, {
          description:
            'The lines add up to `estimated_savings`, to the cent. Empty without savings, or in older evidence',
        }),
      },
      { description: 'Calculation of the monthly savings' },
    ),
    confidence: Type.Object({ level: Level, reasons: Type.Array(Type.String()) }),
    caveats: Type.Array(Type.String(), { description: 'Risks: reasons why the recommendation could be wrong' }),
    checks: Type.Array(
      Type.Object({
        check: Type.String(),
        found: Type.String(),
        passed: Nullable(Type.Boolean(), 'Null: not checked'),
      }),
      { description: 'Safety checks of the rule, each with its result' },
    ),
    facts: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      description: 'Other facts that the rule used',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    }),
  },
  { title: 'Evidence' },
)

export type Evidence = Static<typeof Evidence>
