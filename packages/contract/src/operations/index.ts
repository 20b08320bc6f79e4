import { agentOperations } from './agent.ts'
import { agentTokenOperations } from './agent-tokens.ts'
import { alertOperations } from './alerts.ts'
import { apiKeyOperations } from './api-keys.ts'
import { auditOperations } from './audit.ts'
import { budgetOperations } from './budgets.ts'
import { channelOperations } from './channels.ts'
import { clusterOperations } from './clusters.ts'
import { costOperations } from './costs.ts'
import { metricsOperations } from './metrics.ts'
import { exportOperations } from './exports.ts'
import { opencostOperations } from './opencost.ts'
import { planOperations } from './plans.ts'
import { priceOperations } from './prices.ts'
import { recommendationOperations } from './recommendations.ts'
import { roleOperations } from './roles.ts'
import { searchOperations } from './search.ts'
import { signInOperations } from './sign-in.ts'
import { signingKeyOperations } from './signing-keys.ts'
import { statementOperations } from './statements.ts'
import { teamOperations } from './teams.ts'
import { userOperations } from './users.ts'
import { viewOperations } from './views.ts'

const listed = {
  ...signInOperations,
  ...clusterOperations,
  ...agentTokenOperations,
  ...agentOperations,
  ...costOperations,
  ...recommendationOperations,
  ...planOperations,
  ...priceOperations,
  ...userOperations,
  ...roleOperations,
  ...apiKeyOperations,
  ...teamOperations,
  ...signingKeyOperations,
  ...alertOperations,
  ...budgetOperations,
  ...statementOperations,
  ...viewOperations,
  ...searchOperations,
  ...channelOperations,
  ...auditOperations,
  ...opencostOperations,
  ...metricsOperations,
  ...exportOperations,
}

type Listed = typeof listed

export type OperationName = keyof Listed

export type Operations = { readonly [Name in OperationName]: Listed[Name] & { readonly name: Name } }

/** Every operation of the API. The name is the operationId in the documentation and the function name in the client. */
export const operations = Object.fromEntries(
  Object.entries(listed).map(([name, each]) => [name, { ...each, name }]),
) as Operations
