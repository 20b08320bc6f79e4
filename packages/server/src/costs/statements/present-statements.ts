import {
  statementTeamsMax,
  type Changes,
  type SharingSettings,
  type Statement,
  type StatementList,
  type StatementState,
} from '@plimsoll/contract'
import { formatDecimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import { rulesOf } from './sharing-rules.ts'
import {
  emptyTeam,
  ownUsd,
  sharedUsd,
  sumOfAmounts,
  totalUsd,
  type MonthSums,
  type OwnAmounts,
  type TeamSums,
} from './sum-statements.ts'

/** The name of unowned cost. */
export const UNOWNED_TEAM = '__none__'

/** A monthly budget of one team. */
export type TeamBudget = { team: string; id: string; name: string; amount: number; share: boolean }

/** Both months, and what the caller may see of them. */
export type StatementFigures = {
  readonly now: MonthSums
  readonly before: MonthSums
  readonly sharing: SharingSettings
  /** Null: without the permission to read budgets. */
  readonly budgets: readonly TeamBudget[] | null
  /** The caller sees only some teams or namespaces, so that no figure covers the whole month. */
  readonly isLimited: boolean
  readonly head: StatementHead
}

export type StatementHead = Pick<StatementList, 'month' | 'window' | 'data_status' | 'hours_with_data' | 'currency'> & {
  state: StatementState
  revision: number
}

type ListExtras = Pick<StatementList, 'compare_window' | 'compare_data_status' | 'as_of' | 'months'>

export function presentList(figures: StatementFigures, extras: ListExtras): StatementList {
  const { now, before, head, isLimited } = figures
  const owned = [...now.teams.values()].filter(({ team }) => team !== UNOWNED_TEAM).sort(largestFirst)
  const others = owned.slice(statementTeamsMax)
  const unowned = now.teams.get(UNOWNED_TEAM)
  const notCharged = sumOfAmounts(now.notCharged)
  const total = isLimited ? sumTeams(now) : now.total
  return {
    ...head,
    ...extras,
    sharing: rulesOf(figures.sharing).map((rule) => ({
      ...rule,
      amount: isLimited ? null : roundToNumber(sumPart(now, rule.part)),
    })),
    teams: owned.slice(0, statementTeamsMax).map((sums) => ({
      team: sums.team,
      ...presentSums([sums], before),
      budgets: budgetsOf(figures, sums),
    })),
    rest: { teams: others.length, ...presentSums(others, before) },
    unowned: unowned ? presentSums([unowned], before) : null,
    not_charged: isLimited
      ? null
      : {
          total: roundToNumber(notCharged),
          exact_total: formatDecimal(notCharged),
          idle: roundToNumber(now.notCharged.idle),
          overhead: roundToNumber(now.notCharged.overhead),
          unmounted: roundToNumber(now.notCharged.unmounted),
          unattached: roundToNumber(now.notCharged.unattached),
        },
    total: roundToNumber(total),
    exact_total: formatDecimal(total),
    before: roundToNumber(isLimited ? sumTeams(before) : before.total),
  }
}

const sumTeams = ({ teams }: MonthSums) => [...teams.values()].reduce((sum, team) => sum + totalUsd(team), 0n)

const sumPart = ({ teams }: MonthSums, part: keyof TeamSums['shared']) =>
  [...teams.values()].reduce((sum, { shared }) => sum + shared[part], 0n)

const largestFirst = (a: TeamSums, b: TeamSums) =>
  Number(totalUsd(b) > totalUsd(a)) - Number(totalUsd(b) < totalUsd(a)) || (a.team < b.team ? -1 : 1)

function presentSums(teams: readonly TeamSums[], before: MonthSums) {
  const sum = (of: (team: TeamSums) => Decimal) => teams.reduce((total, team) => total + of(team), 0n)
  const total = sum(totalUsd)
  return {
    own: roundToNumber(sum(ownUsd)),
    shared: roundToNumber(sum(sharedUsd)),
    adjustments: 0,
    total: roundToNumber(total),
    exact_total: formatDecimal(total),
    before: roundToNumber(sum(({ team }) => totalUsd(before.teams.get(team) ?? emptyTeam(team)))),
  }
}

const budgetsOf = ({ budgets }: StatementFigures, sums: TeamSums) =>
  budgets
    ?.filter(({ team }) => team === sums.team)
    .map(({ id, name, amount, share }) => ({
      ...{ id, name, amount, share },
      spent: roundToNumber(share ? totalUsd(sums) : sums.unsharedUsd),
    })) ?? null

/** `ownChanges` explains the difference of the own cost. */
export function presentStatement(figures: StatementFigures, sums: TeamSums, ownChanges: Changes): Statement {
  const { head, now, before, sharing, isLimited } = figures
  const earlier = before.teams.get(sums.team) ?? emptyTeam(sums.team)
  const total = totalUsd(sums)
  const rows = [...sums.rows].sort((a, b) => Number(sumOfAmounts(b.usd) - sumOfAmounts(a.usd)) || byName(a, b))
  const rules = rulesOf(sharing)
  return {
    team: sums.team,
    ...head,
    own: {
      rows: rows.map(({ cluster, namespace, usd }) => ({ cluster, namespace, ...presentOwn(usd) })),
      ...presentOwn(sums.own),
    },
    shared: {
      parts: rules.map((rule) => ({
        ...rule,
        amount: roundToNumber(sums.shared[rule.part]),
        all: isLimited ? null : roundToNumber(sumPart(now, rule.part)),
      })),
      total: roundToNumber(sharedUsd(sums)),
    },
    adjustments: [],
    total: roundToNumber(total),
    exact_total: formatDecimal(total),
    estimated: roundToNumber(sums.estimatedUsd),
    unpriced: sums.unpriced,
    budgets: budgetsOf(figures, sums),
    changes: {
      before: roundToNumber(totalUsd(earlier)),
      difference: roundToNumber(total - totalUsd(earlier)),
      own: ownChanges,
      shared: rules.map(({ part }) => ({
        part,
        before: roundToNumber(earlier.shared[part]),
        now: roundToNumber(sums.shared[part]),
        difference: roundToNumber(sums.shared[part] - earlier.shared[part]),
      })),
    },
  }
}

const byName = (a: { cluster: string; namespace: string }, b: { cluster: string; namespace: string }) =>
  a.namespace.localeCompare(b.namespace) || a.cluster.localeCompare(b.cluster)

const presentOwn = (usd: OwnAmounts) => ({
  cpu: roundToNumber(usd.cpu),
  memory: roundToNumber(usd.memory),
  gpu: roundToNumber(usd.gpu),
  storage: roundToNumber(usd.storage),
  load_balancer: roundToNumber(usd.loadBalancer),
  total: roundToNumber(sumOfAmounts(usd)),
})
