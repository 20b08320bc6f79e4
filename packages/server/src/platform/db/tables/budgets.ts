import type { BudgetPeriod, CostScope, Forecast } from '@plimsoll/contract'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from './json.ts'

export type BudgetThresholds = { actual: number[]; forecast: boolean }

/** The result of the last evaluation, the revision of the budget at that time, and its day since 1970. */
export type StoredOutlook = {
  revision: number
  evaluatedOn?: number
  key: string
  amount: number
  forecast: Forecast
}

export type BudgetsTables = {
  budget: {
    budget_id: string
    name: string
    scope: Json<CostScope>
    /** Whether the cost includes shared cost. */
    counts_shared: Generated<boolean>
    period: BudgetPeriod
    first_day: number | null
    end_day: number | null
    amount: string
    /** The day since 1970 on which a user set the amount or its growth. */
    amount_day: number
    growth_percent: number
    amounts: Json<Record<string, number>>
    thresholds: Json<BudgetThresholds>
    parent_id: string | null
    is_counted: Generated<boolean>
    counted_mapping: Generated<number | null>
    current: Generated<StoredOutlook | null>
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  budget_change: {
    budget_id: string
    position: GeneratedAlways<string>
    at: Date
    /** The ID of a user. */
    made_by: string
    reason: string | null
    before: Json<Record<string, unknown>>
    after: Json<Record<string, unknown>>
  }
  budget_period: {
    budget_id: string
    key: string
    first_day: number
    end_day: number
    amount: string
    usd: string
    is_frozen: boolean
    /** Null: unknown. */
    known_hours: number | null
    /** Null: unknown. */
    scope: Json<CostScope> | null
  }
  budget_day: { cluster_id: string; budget_id: string; day: number; usd: string }
  budget_day_read: { cluster_id: string; day: number; signature: string; hours: number; ended_at: Date | null }
  budget_state: { counted_xid: string | null }
}
