import { Type, type Static } from 'typebox'
import { Closed, Nullable, Timestamp } from './common.ts'
import { classFields } from './costs.ts'
import { Money } from './money.ts'
import { DataStatus, Window, windowQuery } from './windows.ts'

export const allocationSteps = ['none', 'hour', 'day'] as const
export const idleSharings = ['none', 'even', 'proportional'] as const

const list = (description: string, maxLength = 2000) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const choice = <Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Optional(Type.Unsafe<Choice>({ type: 'string', enum: [...choices], default: choices[0], description }))

export const allocationRowsMax = { perStep: 1000, default: 1000, defaultOfSteps: 50 }

export const AllocationQuery = Closed({
  ...windowQuery,
  cluster_id: list('One cluster; all that the role sees without it', 100),
  by: list(
    'One or several, separated by commas: `namespace`, `workload`, `controller_kind`, `label:<key>`, or `node`, `node_pool`, ' +
      'or `none`. What ran on which node is not stored, so workloads and nodes cannot be combined. `namespace` without it',
    1000,
  ),
  step: choice(allocationSteps, 'Cut the window into hours (at most 7 days of them) or UTC days'),
  share_idle: choice(
    idleSharings,
    'Hand idle cost to those who run something, within each cluster and step: `even` to each row alike, `proportional` to ' +
      'what it costs. It changes who pays and never the sum',
  ),
  namespace: list('Only these, separated by commas; `__idle__` is what belongs to nobody. Applied after sharing'),
  workload: list('Only these, as namespace/kind/name, separated by commas. Applied after sharing'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: allocationRowsMax.perStep,
      description: 'Rows of each step; the others are summed up in `rest`. 1000, or 50 with steps, without it',
    }),
  ),
})

const costFields = {
  total: Money(),
  cpu: Money(),
  memory: Money(),
  gpu: Money(),
  shared_idle: Money('Idle cost that was handed to it'),
}

const AllocationCost = Type.Object({
  ...costFields,
  ...classFields,
  estimated: Money('How much of it rests on estimated prices'),
  unpriced: Type.Boolean({ description: 'Some of it has no price and is not in these sums' }),
})

export const Allocation = Type.Object(
  {
    window: Window,
    currency: Type.String(),
    cluster_ids: Type.Array(Type.String()),
    data_status: DataStatus,
    by: Type.Array(Type.String()),
    step: Type.Unsafe<(typeof allocationSteps)[number]>({ type: 'string', enum: [...allocationSteps] }),
    share_idle: Type.Unsafe<(typeof idleSharings)[number]>({ type: 'string', enum: [...idleSharings] }),
    total: Money('Of all steps'),
    steps: Type.Array(
      Type.Object({
        from: Timestamp,
        to: Timestamp,
        total: Money('The rows, the rest and idle. Without filters: what the nodes cost'),
        rows: Type.Array(
          Type.Object({
            names: Type.Unsafe<Record<string, string>>({
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'One per dimension; `__none__` where it has no such label',
            }),
            cost: AllocationCost,
          }),
          { description: 'Largest first' },
        ),
        rest: Type.Object({ rows: Type.Integer(), cost: AllocationCost }),
        idle: Nullable(
          AllocationCost,
          'What belongs to nobody. Null where it is shared, filtered out, in the rows of its nodes, or not for a role of some namespaces',
        ),
      }),
    ),
  },
  { title: 'Allocation', description: 'Compute only' },
)

export type Allocation = Static<typeof Allocation>
