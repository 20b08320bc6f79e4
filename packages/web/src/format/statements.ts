import type { Statement, StatementList } from '@plimsoll/contract'
import { STATEMENT_RESOURCES } from '@plimsoll/engine/vocabulary'
import { exactDollars } from './money.ts'
import { roundTable, roundTogether, sumOf, whole } from './round.ts'
import { month as monthName } from './time.ts'

export const unownedTeam = '__none__'

export const teamName = (team: string) => (team === unownedTeam ? 'Unowned' : team)

export const stateWords = { open: 'Open', provisional: 'Provisional' } as const

export const stateNotes = {
  open: 'The month is not over. The amounts grow with every complete hour.',
  provisional: 'Late data, prices and team rules can still change the amounts of this month.',
} as const

const cents = (units: number) => exactDollars(units / 100)
const centsOrDash = (units: number) => (units === 0 ? '–' : cents(units))

/**
 * Own cost and total in cents, rounded alone, so that the list, the sheet and the budget show the same amounts. Shared
 * cost is their difference.
 */
function chargedUnits({ own, total }: { own: number; total: number }) {
  const [ownUnits, totalUnits] = [whole(own * 100), whole(total * 100)]
  return { own: ownUnits, shared: totalUnits - ownUnits, total: totalUnits }
}

/** Every amount of a sheet in cents. All shown sums add up, from the cells of a namespace to the total. */
export type StatementAmounts = {
  /** Only resources with cost. */
  columns: string[]
  rows: { cells: string[]; total: string }[]
  columnTotals: string[]
  own: string
  parts: string[]
  shared: string
  adjustments: string[]
  total: string
}

export function statementAmounts(statement: Statement): StatementAmounts {
  const { own, adjustments } = statement
  const used = STATEMENT_RESOURCES.filter(([, field]) => own[field] !== 0)
  const units = chargedUnits({ own: own.total, total: statement.total })
  const { parts, adjustments: adjusted } = otherUnits(statement)
  const { cells, rows, columns } = roundTable(
    own.rows.map((row) => used.map(([, field]) => row[field] * 100)),
    undefined,
    units.own,
  )
  return {
    columns: used.map(([word]) => word),
    rows: rows.map((total, at) => ({ cells: (cells[at] ?? []).map(centsOrDash), total: cents(total) })),
    columnTotals: columns.map(cents),
    own: cents(units.own),
    parts: parts.map(cents),
    shared: cents(sumOf(parts)),
    adjustments: adjustments.map((_each, at) => cents(adjusted[at] ?? 0)),
    total: cents(units.total),
  }
}

/** Shared parts and adjustments in cents: what the total contains beside own cost. */
function otherUnits({ own, shared, adjustments, total }: Statement) {
  const units = roundTogether(
    [...shared.parts, ...adjustments].map(({ amount }) => amount * 100),
    chargedUnits({ own: own.total, total }).shared,
  )
  return { parts: units.slice(0, shared.parts.length), adjustments: units.slice(shared.parts.length) }
}

/** A row of the month: a team, or cost without a team. */
export type MonthRow = {
  key: string
  word: string
  /** Opens the sheet. */
  team: string | null
  own: number | null
  shared: number | null
  total: number
  before: number | null
  budgets: StatementList['teams'][number]['budgets']
}

/** The rows add up to the month. */
export function monthRows({ teams, rest, unowned, not_charged: left }: StatementList): MonthRow[] {
  return [
    ...teams.map(({ team, own, shared, total, before, budgets }) => ({
      ...{ key: `team ${team}`, word: team, team, own, shared, total, before, budgets },
    })),
    ...(rest.teams > 0 ? [{ ...rest, key: 'rest', word: `${rest.teams} other teams`, team: null, budgets: null }] : []),
    ...(unowned ? [{ ...unowned, key: 'unowned', word: 'Unowned', team: unownedTeam, budgets: null }] : []),
    ...(left && left.total > 0
      ? [
          {
            ...{ key: 'left', word: 'Not charged', team: null, own: null, shared: null, before: null, budgets: null },
            total: left.total,
          },
        ]
      : []),
  ]
}

export type MonthAmounts = {
  own: string[]
  shared: string[]
  totals: string[]
  changes: string[]
  /** The total less the rows as shown; null if they add up. */
  rounding: string | null
  total: string
}

/** In cents, each row as on its sheet. The cents by which the rounded rows miss the month are shown apart. */
export function monthAmounts(rows: readonly MonthRow[], list: Pick<StatementList, 'total'>): MonthAmounts {
  const units = rows.map(({ own, total }) => ({ ...chargedUnits({ own: own ?? 0, total }), isCharged: own !== null }))
  const total = whole(list.total * 100)
  const rounding = total - sumOf(units.map((each) => each.total))
  return {
    own: units.map(({ own, isCharged }) => (isCharged ? cents(own) : '–')),
    shared: units.map(({ shared, isCharged }) => (isCharged ? cents(shared) : '–')),
    totals: units.map((each) => cents(each.total)),
    changes: rows.map(({ before }, at) =>
      before === null ? '–' : signedCents((units[at]?.total ?? 0) - whole(before * 100)),
    ),
    rounding: rounding === 0 ? null : cents(rounding),
    total: cents(total),
  }
}

/** The difference of two totals in cents, as shown. */
export const changeOf = ({ total, before }: Pick<StatementList, 'total' | 'before'>) =>
  signedCents(whole(total * 100) - whole(before * 100))

/** In cents: the difference of each shared part as shown, and causes of own cost that add up to what is left. */
export function changeAmounts(statement: Statement, causes: readonly number[]) {
  const { total, changes } = statement
  const difference = whole(total * 100) - whole(changes.before * 100)
  const { parts } = otherUnits(statement)
  const unitsOf = new Map(statement.shared.parts.map(({ part }, at) => [part, parts[at] ?? 0]))
  const shared = changes.shared.map(({ part, before }) => (unitsOf.get(part) ?? 0) - whole(before * 100))
  const own = roundTogether(
    causes.map((usd) => usd * 100),
    difference - sumOf(shared),
  )
  return { own: own.map(signedCents), shared: shared.map(signedCents), total: signedCents(difference) }
}

const signedCents = (units: number) => (units > 0 ? `+${cents(units)}` : cents(units))

type Budget = NonNullable<Statement['budgets']>[number]

/** How far the cost is from the amount, in cents. In an open month, the cost still grows. */
export function budgetWords({ amount, spent, share }: Budget, { isOpen }: { isOpen: boolean }): string {
  const left = whole(amount * 100) - whole(spent * 100)
  const words =
    left < 0 ? `${cents(-left)} over the budget` : `${cents(left)} ${isOpen ? 'left in' : 'below'} the budget`
  return share ? words : `own cost: ${words}`
}

/** For a compared window in which hours have no data: its cost is too low for a comparison. */
export const incompleteWords = (status: StatementList['compare_data_status']) =>
  status === 'complete' ? '' : ', not all hours with data'

/** What cost without a team consists of. The parts add up to the shown sum. */
export function notChargedWords(left: NonNullable<StatementList['not_charged']>): string[] {
  const parts = [
    ['unattached volumes', left.unmounted],
    ['load balancers without endpoints', left.unattached],
    ['unallocated capacity', left.idle],
    ['control planes', left.overhead],
  ] as const
  const units = roundTogether(
    parts.map(([, usd]) => usd * 100),
    whole(left.total * 100),
  )
  return parts.flatMap(([word, usd], at) => (usd > 0 ? [`${word} ${cents(units[at] ?? 0)}`] : []))
}

export const headline = ({ team, month }: Pick<Statement, 'team' | 'month'>) => `${teamName(team)}, ${monthName(month)}`

/** The line that identifies a printed sheet. */
export const printedHead = ({ team, month, state, revision }: Statement) =>
  `Statement ${month} / ${teamName(team)} · ${stateWords[state]} · revision ${revision}`
