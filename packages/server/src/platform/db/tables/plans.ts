import type { LevelName } from '@plimsoll/contract'
import type { StepEffort } from '@plimsoll/engine/plan'
import type { Generated } from 'kysely'
import type { Json } from './json.ts'

export type PlansTables = {
  plan: {
    cluster_id: string
    analysed_at: Date
    run_rate: string | null
    savings: string
    is_complete: boolean
    bounds: Json<string[]>
    /** In the order in which packing removes them. */
    drained_nodes: Json<string[]>
  }
  plan_step: {
    cluster_id: string
    step_id: string
    kind: string
    title: string
    position: number | null
    savings: string
    capacity_value: string
    run_rate_before: string | null
    run_rate_after: string | null
    risk: LevelName
    effort: Json<StepEffort>
    /** Prices are decimals, as text. */
    nodes: Json<{ name: string; pool: string; instanceType?: string; usdPerMonth: string; replacedBy: string | null }[]>
    created_at: Date
    ended_at: Date | null
  }
  plan_step_promise: {
    cluster_id: string
    step_id: string
    kind: string
    title: string
    named_at: Date
    promised_at: Date
    savings: string
    nodes: Json<{ name: string; pool: string; usdPerMonth: string; replacedBy: string | null }[]>
    members: Json<{ id: string; share: string }[]>
    resources: Json<{ id: string; uid: string; kind: string; usdPerMonth: string }[]>
  }
  plan_step_member: {
    cluster_id: string
    step_id: string
    recommendation_id: string
    share: string
    is_applied: Generated<boolean>
  }
}
