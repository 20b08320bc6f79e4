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

export function statementAmounts({ own, shared, adjustments }: Statement): StatementAmounts {
  const used = STATEMENT_RESOURCES.filter(([, field]) => own[field] !== 0)
  const others = [...shared.parts, ...adjustments].map(({ amount }) => amount)
  const [ownUnits = 0, ...otherUnits] = roundTogether([own.total, ...others].map((usd) => usd * 100))
  const { cells, rows, columns } = roundTable(
    own.rows.map((row) => used.map(([, field]) => row[field] * 100)),
    undefined,
    ownUnits,
  )
  const parts = otherUnits.slice(0, shared.parts.length)
  return {
    columns: used.map(([word]) => word),
    rows: rows.map((total, at) => ({ cells: (cells[at] ?? []).map(centsOrDash), total: cents(total) })),
    columnTotals: columns.map(cents),
    own: cents(ownUnits),
    parts: parts.map(cents),
    shared: cents(sumOf(parts)),
    adjustments: otherUnits.slice(shared.parts.length).map(cents),
    total: cents(ownUnits + sumOf(otherUnits)),
  }
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

export type MonthAmounts = { own: string[]; shared: string[]; totals: string[]; total: string }

/** In cents: own and shared cost add up to each row, and the rows to the month. */
export function monthAmounts(rows: readonly MonthRow[]): MonthAmounts {
  const totals = roundTogether(rows.map(({ total }) => total * 100))
  const halves = rows.map(({ own, shared }, at) =>
    own === null || shared === null ? null : roundTogether([own * 100, shared * 100], totals[at]),
  )
  return {
    own: halves.map((half) => (half ? cents(half[0] ?? 0) : '–')),
    shared: halves.map((half) => (half ? cents(half[1] ?? 0) : '–')),
    totals: totals.map(cents),
    total: cents(sumOf(totals)),
  }
}

/** In cents: the changes add up to the difference of the two totals as shown. */
export function changeAmounts(changes: readonly number[], { before, total }: { before: number; total: number }) {
  const difference = whole(total * 100) - whole(before * 100)
  const units = roundTogether(
    changes.map((usd) => usd * 100),
    difference,
  )
  return { parts: units.map(signedCents), total: signedCents(difference) }
}

const signedCents = (units: number) => (units > 0 ? `+${cents(units)}` : cents(units))

type Budget = NonNullable<Statement['budgets']>[number]

/** How far the cost is from the amount, in cents. */
export function budgetWords({ amount, spent }: Budget): string {
  const left = whole(amount * 100) - whole(spent * 100)
  return left < 0 ? `${cents(-left)} over budget` : `${cents(left)} under budget`
}

/** What cost without a team consists of. */
export function notChargedWords(left: NonNullable<StatementList['not_charged']>): string[] {
  const parts = [
    ['unattached volumes', left.unmounted],
    ['load balancers without endpoints', left.unattached],
    ['unallocated capacity', left.idle],
    ['control planes', left.overhead],
  ] as const
  return parts.flatMap(([word, usd]) => (usd > 0 ? [`${word} ${exactDollars(usd)}`] : []))
}

export const headline = ({ team, month }: Pick<Statement, 'team' | 'month'>) => `${teamName(team)}, ${monthName(month)}`

/** The line that identifies a printed sheet. */
export const printedHead = ({ team, month, state, revision }: Statement) =>
  `Statement ${month} / ${teamName(team)} · ${stateWords[state]} · revision ${revision}`
