import type { CostScope, UnsentReason } from '@plimsoll/contract'
import type { AlertContent } from '../platform/db/tables/alerts.ts'

/** What a rule finds about one entity. */
export type AlertCondition = {
  /** Stable within the rule, such as the ID of a budget. */
  entity: string
  /** An alert of another period is another alert. Empty unless the rule has periods. */
  period?: string
  /** Null: the data is missing, so an open alert neither fires nor is resolved. */
  isTrue: boolean | null
  /** Null: the whole installation. Roles that are limited to clusters do not see the alert then. */
  clusterId: string | null
  /** Null: the whole cluster. Roles that are limited to namespaces do not see the alert then. */
  namespace: string | null
  team?: string | null
  /** A role sees the alert if this scope lies inside its limits, instead of the three fields above. */
  scope?: Pick<CostScope, 'clusters' | 'namespaces' | 'teams'>
  /** By default as the rule says. */
  isUrgent?: boolean
  /** The alert is listed, and no message is sent, for this reason. */
  unsent?: UnsentReason
  /** Links are paths of the dashboard. */
  content: AlertContent
}
