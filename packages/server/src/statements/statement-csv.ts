import type { Statement, StatementList } from '@plimsoll/contract'
import { STATEMENT_PARTS, STATEMENT_RESOURCES } from '@plimsoll/engine/vocabulary'
import { csvText } from '../platform/http/csv.ts'

const unowned = 'Unowned'
const nameOf = (team: string) => (team === '__none__' ? unowned : team)

/** One line for each amount. The lines before `total` add up to it. */
export function statementCsv({ team, month, state, own, shared, adjustments, total }: Statement): string {
  const line = (section: string, cells: readonly string[], usd: number) => [
    ...[month, state, nameOf(team), section],
    ...cells,
    String(usd),
  ]
  return csvText([
    ['month', 'state', 'team', 'section', 'cluster', 'namespace', 'item', 'rule', 'usd'],
    ...own.rows.flatMap((row) =>
      STATEMENT_RESOURCES.flatMap(([word, field]) =>
        row[field] === 0 ? [] : [line('own', [row.cluster, row.namespace, word, ''], row[field])],
      ),
    ),
    ...shared.parts.map(({ part, rule, namespaces, amount }) =>
      line('shared', ['', namespaces.join(' '), STATEMENT_PARTS[part], rule], amount),
    ),
    ...adjustments.map(({ cause, source, amount }) => line('adjustment', ['', '', cause, source], amount)),
    line('total', ['', '', '', ''], total),
  ])
}

/** One line for each team. The lines before `Total` add up to it. */
export function statementsCsv({ month, state, teams, rest, unowned: none, not_charged: left, total }: StatementList) {
  type Sums = Pick<StatementList['rest'], 'own' | 'shared' | 'adjustments' | 'total'>
  const line = (name: string, { own, shared, adjustments, total: all }: Sums) => [
    ...[month, state, name],
    ...[own, shared, adjustments, all].map(String),
  ]
  return csvText([
    ['month', 'state', 'team', 'own_usd', 'shared_usd', 'adjustments_usd', 'total_usd'],
    ...teams.map((each) => line(each.team, each)),
    ...(rest.teams > 0 ? [line(`${rest.teams} other teams`, rest)] : []),
    ...(none ? [line(unowned, none)] : []),
    ...(left ? [[month, state, 'Not charged', '', '', '', String(left.total)]] : []),
    [month, state, 'Total', '', '', '', String(total)],
  ])
}
