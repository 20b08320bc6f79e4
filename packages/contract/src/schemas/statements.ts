import { Type, type Static } from 'typebox'
import { Changes } from './changes.ts'
import { Closed, Formed, includeOf, Nullable, Timestamp } from './common.ts'
import { sharingRules, type SharingRule } from './cost-sharing.ts'
import { ExactMoney, Money } from './money.ts'
import { DataStatus, Window } from './windows.ts'

/** Teams of one list, largest first. `rest` sums up the others. */
export const statementTeamsMax = 1_000
/** Sheets of one answer. */
export const statementSheetsMax = 100

export const monthPattern = '20\\d{2}-(0[1-9]|1[0-2])'

const Month = Formed(`^${monthPattern}$`, 'a month as YYYY-MM', {
  description: 'A calendar month in UTC',
  examples: ['2026-10'],
})

export const StatementsQuery = Closed({
  month: Type.Optional(Type.Unsafe<string>({ ...Month, description: 'A month in UTC; default: the current month' })),
  ...includeOf(['sheets']),
  format: Type.Optional(
    Type.Unsafe<'csv'>({ type: 'string', enum: ['csv'], description: 'Same as `Accept: text/csv`' }),
  ),
})

export const StatementQuery = Closed({ format: StatementsQuery.properties.format })

const statementStates = ['open', 'provisional'] as const
export type StatementState = (typeof statementStates)[number]

const State = Type.Unsafe<StatementState>({
  type: 'string',
  enum: [...statementStates],
  description: '`open`: the current month · `provisional`: the month is over, and late data can still change it',
})

const sharedParts = ['idle', 'overhead', 'namespaces'] as const
export type StatementPart = (typeof sharedParts)[number]

const ruleFields = {
  part: Type.Unsafe<StatementPart>({
    type: 'string',
    enum: [...sharedParts],
    description: '`idle`: unallocated capacity · `overhead`: control planes · `namespaces`: shared namespaces',
  }),
  sharing: Type.Unsafe<SharingRule>({ type: 'string', enum: [...sharingRules] }),
  rule: Type.String({
    description: 'The rule in words',
    examples: ['Shared in proportion to own cost, within each cluster and day'],
  }),
  namespaces: Type.Array(Type.String(), { description: 'The shared namespaces; empty for other parts' }),
}

const SharedCost = Type.Object({
  ...ruleFields,
  amount: Money('The part of this team'),
  all: Nullable(Money(), 'Of all teams and unowned cost; null if the role is limited'),
})

const resourceFields = {
  cpu: Money(),
  memory: Money(),
  gpu: Money(),
  storage: Money('Volumes'),
  load_balancer: Money(),
  total: Money(),
}

const OwnCost = Type.Object({
  rows: Type.Array(
    Type.Object({
      cluster: Type.String({ description: 'Name of the cluster' }),
      namespace: Type.String(),
      ...resourceFields,
    }),
    { description: 'Largest first' },
  ),
  ...resourceFields,
})

const Adjustment = Type.Object({
  cause: Type.String(),
  source: Type.String(),
  amount: Money(),
})

const Budget = Type.Object({
  id: Type.String(),
  name: Type.String(),
  amount: Money('Amount of the month'),
  share: Type.Boolean({ description: 'Whether the budget counts shared cost' }),
  spent: Money('Total of the statement. Without `share`: the cost of the team before sharing'),
})

const budgets = Nullable(
  Type.Array(Budget, { description: 'Monthly budgets whose scope is this team' }),
  'Null without the permission `budgets:read`',
)

const SharedChange = Type.Object({
  part: ruleFields.part,
  before: Money(),
  now: Money(),
  difference: Money(),
})

const Change = Type.Object(
  {
    before: Money('Total in the month before'),
    difference: Money('`total` − `before`'),
    own: Changes,
    shared: Type.Array(SharedChange),
  },
  {
    description:
      'The difference to the month before: the effects on own cost, and the shared parts. An open month is compared with the same hours of the month before',
  },
)

const monthFields = {
  month: Type.String({ examples: ['2026-10'] }),
  state: State,
  revision: Type.Integer({ description: '0 until the month is closed' }),
  window: Window,
  data_status: DataStatus,
  hours_with_data: Type.Integer({ description: 'With several clusters, their mean' }),
  currency: Type.String(),
}

export const Statement = Type.Object(
  {
    team: Type.String({ description: '`__none__`: unowned cost' }),
    ...monthFields,
    own: OwnCost,
    shared: Type.Object({ parts: Type.Array(SharedCost), total: Money() }),
    adjustments: Type.Array(Adjustment, {
      description: 'Corrections of closed months; empty until months can be closed',
    }),
    total: Money('Own cost + shared cost + adjustments'),
    exact_total: ExactMoney,
    estimated: Money('Part of the total with estimated prices'),
    unpriced: Type.Boolean({ description: 'Some resources have no price and are not in these amounts' }),
    budgets,
    changes: Change,
  },
  { title: 'Statement', description: 'The cost of a team in a month' },
)

const teamFields = {
  own: Money('Own cost'),
  shared: Money('Shared cost'),
  adjustments: Money(),
  total: Money(),
  exact_total: ExactMoney,
  before: Money('Total in the month before; for an open month, in the same hours'),
}

const TeamLine = Type.Object({ team: Type.String(), ...teamFields, budgets })

const NotCharged = Type.Object({
  total: Money(),
  exact_total: ExactMoney,
  idle: Money('Unallocated capacity of clusters without an owner, or without sharing'),
  overhead: Money('Control planes of clusters without an owner, or without sharing'),
  unmounted: Money('Unattached volumes'),
  unattached: Money('Load balancers without endpoints'),
})

export const StatementList = Type.Object(
  {
    ...monthFields,
    compare_window: Window,
    compare_data_status: DataStatus,
    as_of: Nullable(Timestamp, 'End of the last complete hour; null without data'),
    months: Type.Array(Type.Object({ month: Type.String(), state: State }), {
      description: 'The months with data, newest first',
    }),
    sharing: Type.Array(Type.Object({ ...ruleFields, amount: Nullable(Money(), 'Null if the role is limited') })),
    teams: Type.Array(TeamLine, { description: `Largest first, at most ${statementTeamsMax}` }),
    rest: Type.Object({ teams: Type.Integer({ description: 'Teams that are not listed' }), ...teamFields }),
    unowned: Nullable(Type.Object(teamFields), 'Workloads without a team; null without such cost'),
    not_charged: Nullable(NotCharged, 'Cost that no team pays; null if the role is limited'),
    total: Money('Teams + unowned + not charged'),
    exact_total: ExactMoney,
    before: Money('The same for the month before'),
    sheets: Type.Optional(
      Type.Array(Statement, { description: `With \`include=sheets\`, for at most ${statementSheetsMax} teams` }),
    ),
  },
  { title: 'StatementList', description: 'The statements of a month' },
)

export type Statement = Static<typeof Statement>
export type StatementList = Static<typeof StatementList>
