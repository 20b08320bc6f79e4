import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type CostScope } from '@plimsoll/contract'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerIdOf } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { handle } from '../../platform/http/handle.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { demandVisibleClusters } from '../../clusters/index.ts'
import { visibleClustersAsked, type CostDeps } from '../../costs/index.ts'
import { dayNumberOf, spanOn, type BudgetSpan } from '../budget-span.ts'
import { pastPeriods, suggestedAmount, type RecurringPeriod } from '../past-periods.ts'
import { forecastScope, openHour, type ScopeHistory } from '../evaluate-budget.ts'
import { loadScopeHistory } from '../load-scope-history.ts'
import { narrowScope, scopeOfGrant } from '../scope-inside.ts'

export const forecastRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  handle(app, operations.getForecast, {
    preParsing: visibleClustersAsked(deps),
    handler: async (request, reply) => {
      const { period = 'month', amount, share, ...fields } = request.query
      const scope = visibleScope(request, scopeOfQuery(fields))
      const { history } = await loadScopeHistory(
        deps,
        { scope, share: share === 'statements' },
        requesterOf(request, reply),
      )
      return forecastScope({ scope, span: openSpan(period, history, deps.now()), history, amount: amountOf(amount) })
    },
  })

  handle(app, operations.previewBudget, {
    handler: async (request, reply) => {
      const { scope: asked = {}, share = true, period = 'month', amount } = request.body
      await demandVisibleClusters(deps, request, asked.clusters?.join(','))
      const scope = visibleScope(request, asked)
      const { history, matches } = await loadScopeHistory(deps, { scope, share }, requesterOf(request, reply))
      const span = openSpan(period === 'once' ? 'month' : period, history, deps.now())
      return {
        forecast: forecastScope({ scope, span, history, amount: amountOf(amount) }),
        matches,
        ...(period === 'once'
          ? { periods: [], suggested_amount: null }
          : pastOf(history, { period, amount }, deps.now())),
      }
    },
  })
}

const requesterOf = (request: FastifyRequest, reply: FastifyReply) => ({
  callerId: callerIdOf(requestCaller(request)),
  signal: closingSignal(reply),
})

const visibleScope = (request: FastifyRequest, scope: CostScope) =>
  narrowScope(scope, scopeOfGrant(requestCaller(request)))

const scopeOfQuery = (fields: Record<string, string | undefined>): CostScope =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.split(',')]])),
  )

const amountOf = (amount: number | undefined): Decimal | null =>
  amount === undefined ? null : decimal(amount.toFixed(2))

const openSpan = (period: RecurringPeriod, history: ScopeHistory, now: Date): BudgetSpan =>
  spanOn({ period, firstDay: null, endDay: null }, dayNumberOf(openHour(history, now)))

function pastOf(
  history: ScopeHistory,
  { period, amount }: { period: RecurringPeriod; amount: number | undefined },
  now: Date,
) {
  const before = openSpan('month', history, now).from
  const periods = pastPeriods(history.days, period, openSpan(period, history, now).from)
  return {
    periods: periods.map(({ key, usd }) => ({
      key,
      usd: roundToNumber(usd),
      over: amount === undefined ? null : roundToNumber(usd) > amount,
    })),
    suggested_amount: suggestedAmount(pastPeriods(history.days, 'month', before), period),
  }
}
