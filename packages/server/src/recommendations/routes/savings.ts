import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  recommendationGroupsMax,
  recommendationPageSize,
  type Savings,
  savingsGroupings,
  savingsIncludes,
  type SavingsQuery,
  type SavingsGrouping,
  operations,
} from '@plimsoll/contract'
import type { Static } from 'typebox'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { sumByGroup } from '../queries/recommendation-groups.ts'
import { listRecommendations, type Sight } from '../queries/recommendations.ts'
import { sumSavings, type SavingsSum } from '../queries/savings.ts'
import type { Deps } from '../../platform/deps.ts'
import { encodeCursor, page } from '../../platform/http/cursor.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { Permissions } from '../allowed-actions.ts'
import { loadStepReferences } from '../plan-step-reference.ts'
import { presentRecommendations } from '../present-recommendation.ts'
import { visibleClusterOfQuery } from '../../clusters/index.ts'
import { loadStepSavings } from '../step-savings/present-step-savings.ts'
import { knownRulesOfQuery, parseFilter } from '../recommendation-access.ts'
import { presentGroup } from './recommendation-groups.ts'
import { handle } from '../../platform/http/handle.ts'

const monthsShown = 12

export const savingsRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.getSavings, {
    preValidation: visibleClusterOfQuery(deps),
    preHandler: knownRulesOfQuery(deps),
    handler: async (request) => {
      const { cluster_id: clusterId, namespace, rule_id: ruleId } = request.query
      const by = parseGrouping(request.query.by ?? 'month')
      const to = request.query.to ?? deps.now().toISOString().slice(0, 7)
      const from = request.query.from ?? addMonths(to, 1 - monthsShown)
      if (from > to) throw reversed(from, to)
      const filter = {
        clusterId,
        namespaces: namespace?.split(','),
        ruleIds: ruleId?.split(','),
        from: `${from}-01T00:00:00Z`,
        to: `${addMonths(to, 1)}-01T00:00:00Z`,
      }
      const sight = requestCaller(request)
      const parts = severalOf('include', request.query.include, savingsIncludes) ?? []
      const { rows, total, days, done, steps } = await readAtOnce(deps.db, async (tx) => ({
        rows: await sumSavings(tx, sight, filter, by),
        total: (await sumSavings(tx, sight, filter, []))[0],
        days: parts.includes('days') ? await sumSavings(tx, sight, filter, ['day']) : undefined,
        done: parts.includes('done') ? await loadDone(deps, tx, sight, request.query) : undefined,
        steps: parts.includes('steps') ? await loadStepSavings(tx, sight, filter) : undefined,
      }))
      if (!total) throw new Error('a sum over everything has one row')
      return {
        currency: 'USD',
        from,
        to,
        rows: rows.map(presentRow),
        total: money(total),
        ...(days ? { days: days.map(presentRow) } : {}),
        ...(done ? { done } : {}),
        ...(steps ? { steps } : {}),
      }
    },
  })
}

const doneStatus = 'implemented,resolved'
const doneSort = '-bankable_savings'

/** The first page of applied recommendations; the list continues from its cursor. */
async function loadDone(
  deps: Deps,
  tx: Db,
  caller: Sight & Permissions,
  { cluster_id, namespace, rule_id }: Static<typeof SavingsQuery>,
): Promise<NonNullable<Savings['done']>> {
  const given = Object.entries({ cluster_id, namespace, rule_id }).filter(([, value]) => value !== undefined)
  const filters = { ...Object.fromEntries(given), status: doneStatus, include_snoozed: false }
  const filter = parseFilter(filters, deps.now())
  const { max: limit } = recommendationPageSize
  const rows = await listRecommendations(tx, caller, filter, { sort: doneSort, after: undefined, limit: limit + 1 })
  const { groups } = await sumByGroup(tx, { sight: caller, filter, by: 'verification', limit: recommendationGroupsMax })
  const scope = { list: 'recommendations', selection: { sort: doneSort, ...filters } }
  const { shown, ...rest } = page(rows, limit, (last) =>
    encodeCursor(deps.secrets, scope, [last.sort_key, last.recommendation_id], deps.now()),
  )
  const steps = await loadStepReferences(tx, shown, caller)
  const recommendations = presentRecommendations(shown, caller, steps)
  return { by_verification: groups.map(presentGroup), recommendations, ...rest }
}

function reversed(from: string, to: string): Problem {
  const detail = `${from} is after the last month, ${to}.`
  return new Problem('invalid_parameter', `from: ${detail}`, {
    errors: [{ parameter: 'from', code: 'invalid', detail }],
  })
}

function presentRow(row: SavingsSum): Savings['rows'][number] {
  const { day, month, cluster, namespace, rule } = row
  return {
    ...(day === undefined ? {} : { day }),
    ...(month === undefined ? {} : { month }),
    ...(cluster === undefined ? {} : { cluster_id: cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(rule === undefined ? {} : { rule_id: rule }),
    ...money(row),
    ...(day === undefined ? {} : { verified: null, reverted: null }),
  }
}

const money = (row: SavingsSum): Savings['total'] => ({
  estimated: Number(row.estimated),
  left_out: Number(row.left_out),
  bankable: Number(row.estimated_bankable),
  approved: Number(row.approved),
  approved_bankable: Number(row.approved_bankable),
  implemented: Number(row.implemented),
  implemented_bankable: Number(row.implemented_bankable),
  resolved: Number(row.resolved),
  observed: Number(row.observed),
  verified: Number(row.verified),
  reverted: Number(row.reverted),
})

function parseGrouping(text: string): SavingsGrouping[] {
  const names = text.split(',')
  const known: readonly string[] = savingsGroupings
  const wrong = names.find((name, index) => !known.includes(name) || names.indexOf(name) !== index)
  if (wrong === undefined) return names as SavingsGrouping[]
  const detail = `must be one or more different values of ${known.join(', ')}, got '${wrong.slice(0, 100)}'`
  throw new Problem('invalid_parameter', `by: ${detail}.`, { errors: [{ parameter: 'by', code: 'enum', detail }] })
}

function addMonths(month: string, count: number): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}
