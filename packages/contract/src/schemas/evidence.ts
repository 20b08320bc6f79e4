import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { sourceFields } from './price-source.ts'

export const levelNames = ['low', 'medium', 'high'] as const
export type LevelName = (typeof levelNames)[number]
export const Level = Type.Unsafe<LevelName>({ type: 'string', enum: [...levelNames] })

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
  minutes_short: Type.Number({ description: 'Minutes of the window in which it would have been too little CPU' }),
  volume_short: Type.Number({ description: 'CPU wanted beyond it ÷ CPU used' }),
  oom_days: Type.Number({ description: 'Days of the window on which memory would have been too little' }),
}

const notedSource = sourceFields('somebody set it, it is a mean of several, or it was not noted')

const SavingLine = Type.Object(
  {
    what: Type.String(),
    quantity: Nullable(
      Type.Number(),
      'Negative: of what will be paid instead. Null with the price where no price says it, such as what runs have cost lately',
    ),
    unit: Nullable(Type.String(), 'One of what: node, core, GiB, disk, …'),
    usd_per_unit: Nullable(Type.Number(), 'USD per unit, and per hour or month'),
    per: Nullable(Type.Unsafe<'hour' | 'month'>({ type: 'string', enum: ['hour', 'month'] })),
    hours: Nullable(Type.Number(), 'Of a month, for what is sold by the hour'),
    ...notedSource,
    estimated: Type.Boolean({ description: 'Its price is an estimate' }),
    usd_per_month: Money('quantity × usd_per_unit, × hours for what is sold by the hour'),
  },
  { title: 'SavingLine' },
)

/** Enough to draw the chart and to answer "why this number?" without another call. */
export const Evidence = Type.Object(
  {
    written_at: Type.Unsafe<string>({
      ...Timestamp,
      description: 'When the cluster was as it is told here: the newest that was known of it when this was written',
    }),
    window: Nullable(Type.Object({ from: Timestamp, to: Timestamp, hours: Type.Integer() })),
    sample_count: Nullable(Type.Integer()),
    coverage: Nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Of the samples that were to be expected'),
    usage: Type.Object({ cpu_millicores: Nullable(Percentiles), memory_bytes: Nullable(Percentiles) }),
    requests: Type.Object({ current: Type.Object(Sizes), proposed: Type.Object(Sizes) }),
    hourly: Type.Object(
      { cpu_millicores: Nullable(Band), memory_bytes: Nullable(Band) },
      { description: 'One number per hour from the start of the window on; null where nothing was measured' },
    ),
    backtest: Type.Object(
      {
        standing_days: Nullable(Type.Number(), 'How long a value stands until it is renewed'),
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
              'Null where it says nothing about a request that is there now, where several containers are meant, or where it was not noted',
            ),
          }),
        ),
      },
      { description: 'What the window would have been like with each of these requests' },
    ),
    bankable_because: Nullable(
      Type.String(),
      'Why what leaves the bill is more or less than the estimate, and whether it is only a share of what several free together: what the recommendation itself says, not what it said when this was written',
    ),
    candidates: Type.Array(Type.Object({ ...Sizes, ...shortage, estimated_savings: Money('A month') }), {
      maxItems: 132,
      description:
        'Other requests with what they would mean, smallest first, the present and the proposed one among them',
    }),
    prices: Type.Array(
      Type.Object({
        rate_id: Type.String(),
        node_class: Type.String({
          description: 'In words',
          examples: ['m5.xlarge, on-demand, AWS eu-central-1, 4 cores, 16 GiB'],
        }),
        node_usd_per_hour: Nullable(Type.Number()),
        cpu_usd_per_core_month: Nullable(Type.Number()),
        memory_usd_per_gib_month: Nullable(Type.Number()),
        gpu_usd_per_gpu_month: Nullable(Type.Number(), 'Null where the node has none, or it was not noted'),
        estimated: Type.Boolean(),
        ...notedSource,
      }),
      { description: 'The prices of nodes that the saving rests on' },
    ),
    saving: Type.Object(
      {
        formula: Type.String({ description: 'In words, as its rule says it' }),
        lines: Type.Array(SavingLine, {
          description:
            'They add up to `estimated_savings`, to the cent. None where nothing is saved, or where it was written before there were any',
        }),
      },
      { description: 'The receipt: how the saving of a month comes about' },
    ),
    confidence: Type.Object({ level: Level, reasons: Type.Array(Type.String()) }),
    caveats: Type.Array(Type.String(), { description: 'What could make it wrong' }),
    checks: Type.Array(
      Type.Object({
        check: Type.String(),
        found: Type.String(),
        passed: Nullable(Type.Boolean(), 'Null: it could not be checked'),
      }),
      { description: 'The guards of the rule: what has to hold, and what was found' },
    ),
    facts: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      description: 'What the rule looked at besides',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    }),
  },
  { title: 'Evidence' },
)

export type Evidence = Static<typeof Evidence>
