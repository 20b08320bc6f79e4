import { recommendationStatuses, type ListRecommendationsQuery } from '@plimsoll/contract'
import { RULES } from '@plimsoll/engine/rules'
import { CATEGORIES, LEVELS, SEVERITIES, VERIFICATIONS } from '@plimsoll/engine/vocabulary'
import type { FastifyRequest } from 'fastify'
import { type Static } from 'typebox'
import { clusterExists } from '../clusters/index.ts'
import {
  findRecommendation,
  listRulesLeft,
  NONE,
  type RecommendationFilter,
  type RecommendationRow,
} from './queries/recommendations.ts'
import type { Deps } from '../platform/deps.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { severalOf } from '../platform/http/several-of.ts'
import { clusterOfRecommendation } from '../platform/ids.ts'
import { Problem } from '../platform/http/problem.ts'
import { maySee } from './move-recommendations.ts'

/** Looks up before validation. Missing, in another cluster and in another namespace get the same response. */
export const visibleRecommendation = (deps: Deps) => async (request: FastifyRequest) => {
  await findVisible(deps, request)
}

export async function findVisible(deps: Deps, request: FastifyRequest): Promise<RecommendationRow> {
  const { id } = request.params as { id: string }
  const clusterId = clusterOfRecommendation(id)
  const row = clusterId === undefined ? undefined : await findRecommendation(deps.db, clusterId, id)
  if (!row || !maySee(requestCaller(request), row) || !(await clusterExists(deps.db, row.cluster_id))) {
    throw recommendationNotFound(id)
  }
  return row
}

export const knownRulesOfQuery = (deps: Deps) => async (request: FastifyRequest) => {
  const { rule_id: text } = request.query as { rule_id?: string }
  await demandKnownRules(deps, text)
}

/** A removed rule may have left recommendations; an unknown rule is an error, not an empty result. */
export async function demandKnownRules(deps: Deps, text: string | undefined): Promise<void> {
  const strange = text?.split(',').filter((id) => !RULES.some((rule) => rule.id === id)) ?? []
  const left = strange.length === 0 ? [] : await listRulesLeft(deps.db, strange)
  severalOf('rule_id', text, [...RULES.map(({ id }) => id), ...left])
}

export const recommendationNotFound = (id: string) =>
  new Problem('recommendation_not_found', `There is no recommendation '${id.slice(0, 100)}'.`)

type Filters = Omit<Static<typeof ListRecommendationsQuery>, 'limit' | 'cursor' | 'sort'>

export function parseFilter(filters: Filters, now: Date): RecommendationFilter {
  return {
    statuses: severalOf('status', filters.status, recommendationStatuses),
    clusterIds: filters.cluster_id?.split(','),
    namespaces: filters.namespace?.split(','),
    workloads: filters.workload?.split(','),
    ruleIds: filters.rule_id?.split(','),
    categories: severalOf('category', filters.category, CATEGORIES),
    severities: severalOf('severity', filters.severity, SEVERITIES),
    risks: severalOf('risk', filters.risk, LEVELS),
    verifications: severalOf('verification', filters.verification, [...VERIFICATIONS, NONE]),
    savingsMin: filters.min_savings,
    text: filters.text,
    awakeAt: filters.include_snoozed ? undefined : now,
  }
}
