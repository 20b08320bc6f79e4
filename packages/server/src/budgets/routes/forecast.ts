import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type CostScope } from '@plimsoll/contract'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { handle } from '../../platform/http/handle.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { dayNumberOf, spanOn, type BudgetSpan } from '../budget-span.ts'
import { forecastScope, openHour, type ScopeHistory } from '../evaluate-budget.ts'
import { loadScopeHistory } from '../load-scope-history.ts'
import { narrowScope, scopeOfGrant } from '../scope-inside.ts'

export const forecastRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.getForecast, {
    handler: async (request) => {
      const { period = 'month', amount, ...fields } = request.query
      const scope = visibleScope(request, scopeOfQuery(fields))
      const { history } = await loadScopeHistory(deps.db, scope, deps.now())
      return forecastScope({ scope, span: openSpan(period, history, deps.now()), history, amount: amountOf(amount) })
    },
  })

  handle(app, operations.previewBudget, {
    handler: async (request) => {
      const { scope: asked = {}, period = 'month', amount } = request.body
      const scope = visibleScope(request, asked)
      const { history, matches } = await loadScopeHistory(deps.db, scope, deps.now())
      const span = openSpan(period === 'once' ? 'month' : period, history, deps.now())
      const months = completeMonths(history, deps.now())
      return {
        forecast: forecastScope({ scope, span, history, amount: amountOf(amount) }),
        matches,
        months: months.map(({ key, usd }) => ({
          key,
          usd: roundToNumber(usd),
          over: amount === undefined ? null : roundToNumber(usd) > amount,
        })),
        suggested_amount: suggestedAmount(months.map(({ usd }) => usd)),
      }
    },
  })
}

const visibleScope = (request: FastifyRequest, scope: CostScope) =>
  narrowScope(scope, scopeOfGrant(requestCaller(request)))

const scopeOfQuery = (fields: Record<string, string | undefined>): CostScope =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.split(',')]])),
  )

const amountOf = (amount: number | undefined): Decimal | null =>
  amount === undefined ? null : decimal(amount.toFixed(2))

const openSpan = (period: 'month' | 'quarter' | 'year', history: ScopeHistory, now: Date): BudgetSpan =>
  spanOn({ period, firstDay: null, endDay: null }, dayNumberOf(openHour(history, now)))

const monthsShown = 12
const monthsForSuggestion = 3

/** Newest first. A month counts if it is over and has data in at least half of its days. */
function completeMonths(history: ScopeHistory, now: Date): { key: string; usd: Decimal }[] {
  const monthly = { period: 'month' as const, firstDay: null, endDay: null }
  const months: { key: string; usd: Decimal }[] = []
  let span = openSpan('month', history, now)
  while (months.length < monthsShown) {
    span = spanOn(monthly, span.from - 1)
    const own = history.days.filter(({ day }) => day >= span.from && day < span.to)
    if (own.length * 2 < span.to - span.from) break
    months.push({ key: span.key, usd: own.reduce((sum, { usd }) => sum + usd, 0n) })
  }
  return months
}

/** The mean of the last three complete months + 10 %, in whole dollars. */
function suggestedAmount(months: readonly Decimal[]): number | null {
  const last = months.slice(0, monthsForSuggestion)
  if (last.length === 0) return null
  const mean = roundToNumber(last.reduce((sum, usd) => sum + usd, 0n) / BigInt(last.length))
  return Math.ceil(mean * 1.1)
}
