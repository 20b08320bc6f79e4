import { StatementParams } from '../schemas/path-params.ts'
import { Statement, StatementList, StatementQuery, StatementsQuery } from '../schemas/statements.ts'
import { operation } from './operation.ts'

const csv = { 'text/csv': 'With `?format=csv` or `Accept: text/csv`: the amounts as a table' }

const sharing =
  'Own cost, shared cost and totals are those of the allocation of the same month. A role limited to namespaces or teams sees only the cost of its namespaces and teams.'

export const statementOperations = {
  listStatements: operation('GET /api/v1/statements', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Statements',
    summary: 'List the statements of all teams in a month',
    description: `Teams, unowned cost and cost that no team pays add up to the cost of the month. ${sharing}`,
    query: StatementsQuery,
    response: { 200: StatementList },
    bytes: csv,
  }),

  getStatement: operation('GET /api/v1/statements/:month/:team', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Statements',
    summary: 'Show the statement of a team in a month',
    description: `\`__none__\` is unowned cost. ${sharing}`,
    params: StatementParams,
    query: StatementQuery,
    response: { 200: Statement },
    bytes: csv,
  }),
}
