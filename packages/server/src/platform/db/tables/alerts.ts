import type { AlertRuleName, CostScope, UnsentReason } from '@plimsoll/contract'
import type { Message } from '@plimsoll/engine/messages'
import type { Generated } from 'kysely'
import type { Json } from './json.ts'

/** The part of a message that the condition of an alert decides. */
export type AlertContent = Pick<Message, 'severity' | 'title' | 'facts' | 'money' | 'links'>

/** A person's decision about an alert. */
export type AlertDecision = { at: string; by: string; note: string | null }

export type AlertsTables = {
  alert_rule: {
    rule: AlertRuleName
    is_on: boolean
    thresholds: Json<Record<string, number>>
    revision: number
    updated_at: Date
  }
  alert: {
    alert_id: string
    rule: AlertRuleName
    entity: string
    period: string
    cluster_id: string | null
    namespace: string | null
    team: string | null
    /** Null: the cluster, namespace and team decide who sees the alert. */
    scope: Json<CostScope> | null
    state: 'pending' | 'firing' | 'resolved'
    is_urgent: boolean
    content: Json<AlertContent>
    opened_at: Date
    true_since: Date | null
    false_since: Date | null
    observed_at: Date
    fired_at: Date | null
    resolved_at: Date | null
    acknowledged: Json<AlertDecision> | null
    snoozed_until: Date | null
    accepted: Json<AlertDecision> | null
    unsent_reason: UnsentReason | null
    revision: Generated<number>
  }
  alert_notice: {
    alert_id: string
    transition: string
    channel_id: string
    state: 'waiting' | 'sent' | 'dropped'
    reason: UnsentReason | null
    due_at: Date
    created_at: Date
  }
  alert_delivery: {
    is_only: Generated<boolean>
    quiet_from: number | null
    quiet_to: number | null
    quiet_weekends: Generated<boolean>
    sends_digest: Generated<boolean>
    digest_at: Date | null
    revision: Generated<number>
    evaluated_xid: Generated<string | null>
    evaluated_at: Date | null
  }
}
