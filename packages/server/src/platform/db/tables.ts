import type { AlertsTables } from './tables/alerts.ts'
import type { BudgetsTables } from './tables/budgets.ts'
import type { ChannelsTables } from './tables/channels.ts'
import type { ClustersTables } from './tables/clusters.ts'
import type { IngestTables } from './tables/ingest.ts'
import type { PeopleTables } from './tables/people.ts'
import type { PlansTables } from './tables/plans.ts'
import type { PricesTables } from './tables/prices.ts'
import type { RecommendationsTables } from './tables/recommendations.ts'
import type { ServiceTables } from './tables/service.ts'
import type { SettingsTables } from './tables/settings.ts'
import type { StatementsTables } from './tables/statements.ts'
import type { TeamsTables } from './tables/teams.ts'
import type { ViewsTables } from './tables/views.ts'

/** Every table of the database. The files in `tables/` list them by feature. */
export type Tables = AlertsTables &
  BudgetsTables &
  ChannelsTables &
  ClustersTables &
  IngestTables &
  PeopleTables &
  PlansTables &
  PricesTables &
  RecommendationsTables &
  ServiceTables &
  SettingsTables &
  StatementsTables &
  TeamsTables &
  ViewsTables
