import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { bodyBytesMax } from '@plimsoll/contract'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Deps } from './platform/deps.ts'
import { webDirectory as builtWeb } from './directories.ts'
import { readJsonBodies, refuseUnwantedBodies } from './platform/http/body.ts'
import { closeQueries } from './platform/http/closed-query.ts'
import { countAgainst, passGate, requireAccess } from './platform/http/gate.ts'
import { putFixedHeaders, requestId } from './platform/http/headers.ts'
import { answerOtherMethods } from './platform/http/methods.ts'
import { measureRequests } from './platform/http/metrics.ts'
import { collectRoutes } from './platform/http/openapi.ts'
import { openPageLimit } from './platform/http/page-rate-limit.ts'
import { replyWithProblem } from './platform/http/problem-reply.ts'
import { answerConnect, handleClientError } from './platform/http/raw-errors.ts'
import { logAnswer, logRequests } from './platform/http/request-log.ts'
import { demandServable, hostProblem, takeOverExpectations } from './platform/http/servable.ts'
import type { StaticFile } from './platform/http/static-files.ts'
import { wantsNotFoundPage, sendNotFoundPage } from './platform/http/not-found-page.ts'
import { compileSerializer } from './platform/http/serialization.ts'
import { compileValidator } from './platform/http/validation.ts'
import { Problem } from './platform/http/problem.ts'
import { alertRoutes } from './alerts/routes/alerts.ts'
import { alertRuleRoutes } from './alerts/routes/alert-rules.ts'
import { agentTokenRoutes } from './clusters/routes/agent-tokens.ts'
import { allocationRoutes } from './costs/routes/allocation.ts'
import { apiKeyRoutes } from './people/routes/api-keys.ts'
import { auditRoutes } from './audit/routes.ts'
import { authRoutes } from './people/routes/sign-in.ts'
import { oidcRoutes } from './people/routes/oidc.ts'
import { sessionRoutes } from './people/routes/sessions.ts'
import { signInRuleRoutes } from './people/routes/sign-in-rules.ts'
import { statementRoutes } from './statements/routes/statements.ts'
import { viewRoutes } from './views/routes/views.ts'
import { searchRoutes } from './search/routes.ts'
import { budgetRoutes } from './budgets/routes/budgets.ts'
import { forecastRoutes } from './budgets/routes/forecast.ts'
import { changesRoutes } from './costs/routes/changes.ts'
import { channelRoutes } from './channels/routes/channels.ts'
import { deliveryRoutes } from './channels/routes/deliveries.ts'
import { clusterContentRoutes } from './costs/routes/cluster-contents.ts'
import { clusterExtras } from './overview/cluster-detail.ts'
import { clusterRoutes } from './clusters/routes/clusters.ts'
import { agentInstallRoutes } from './clusters/routes/agent-install.ts'
import { documentationRoutes } from './platform/http/documentation.ts'
import type { ExportDeps } from './exports/exporting.ts'
import { focusRoutes } from './exports/routes/focus.ts'
import { explainRoutes } from './costs/routes/explain.ts'
import { figureRoutes } from './costs/routes/figures.ts'
import { helmPathRoutes } from './manifests/routes/helm-paths.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { manifestRoutes } from './manifests/routes/manifests.ts'
import { metricsRoutes, operationRoutes } from './platform/http/operation.ts'
import { costMetricsRoutes } from './metrics/routes.ts'
import { opencostRoutes } from './opencost/routes/opencost.ts'
import { overviewRoutes } from './overview/routes.ts'
import { loadPage, pageRoutes } from './platform/http/pages.ts'
import { planRoutes } from './plans/routes/plans.ts'
import { policyRoutes } from './settings/routes/policies.ts'
import { priceBookRoutes } from './prices/routes/price-books.ts'
import { priceOverrideRoutes } from './prices/routes/price-overrides.ts'
import { priceRoutes } from './prices/routes/prices.ts'
import { estimateRoutes } from './recommendations/routes/estimates.ts'
import { recommendationGroupRoutes } from './recommendations/routes/recommendation-groups.ts'
import { recommendationMoveRoutes } from './recommendations/routes/recommendation-moves.ts'
import { recommendationPreviewRoutes } from './recommendations/routes/recommendation-preview.ts'
import { recommendationRoutes } from './recommendations/routes/recommendations.ts'
import { roleRoutes } from './people/routes/roles.ts'
import { ruleRoutes } from './recommendations/routes/rules.ts'
import { savingsRoutes } from './recommendations/routes/savings.ts'
import type { ParseLimits } from './manifests/parsing/parse-threads.ts'
import { signingKeyRoutes } from './people/routes/signing-keys.ts'
import { teamCostRoutes } from './costs/routes/teams.ts'
import { teamRoutes } from './teams/routes/teams.ts'
import { costSharingRoutes } from './settings/routes/cost-sharing.ts'
import { teamMappingRoutes } from './settings/routes/team-mapping.ts'
import { syncRoutes } from './clusters/routes/sync.ts'
import { userRoutes } from './people/routes/users.ts'
import { withheldRoutes } from './recommendations/routes/withheld.ts'

export type AppOptions = {
  /** How long a request may take to arrive, including its body. */
  requestMsMax?: number
  /** Where the built dashboard is. */
  webDirectory?: URL
  /** False when `/metrics` has its own listener. */
  servesMetrics?: boolean
  /** Time and memory limits for YAML from callers. */
  parseLimits?: Partial<ParseLimits>
}

/** Dependencies of some features. */
export type AppDeps = ExportDeps

export async function buildApp(
  deps: AppDeps,
  { requestMsMax = 30_000, webDirectory = builtWeb, servesMetrics = true, parseLimits = {} }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = makeServer(deps, requestMsMax)
  const routes = collectRoutes(app)
  await app.register(cookie)
  const page = await loadPage(webDirectory)
  guard(app, deps, page)
  closeQueries(app)
  answerOtherMethods(app)
  refuseUnwantedBodies(app)
  logRequests(app)
  measureRequests(app, deps.metrics)

  await app.register(named(pageRoutes), { webDirectory, page })
  await app.register(named(agentInstallRoutes), { deps })
  await app.register(named(authRoutes), { deps })
  await app.register(named(oidcRoutes), { deps })
  await app.register(named(sessionRoutes), { deps })
  await app.register(named(ingestRoutes), { deps })
  await app.register(named(clusterRoutes), { deps, extras: clusterExtras })
  for (const resource of [
    clusterContentRoutes,
    figureRoutes,
    overviewRoutes,
    allocationRoutes,
    changesRoutes,
    budgetRoutes,
    forecastRoutes,
    statementRoutes,
    focusRoutes,
    viewRoutes,
    searchRoutes,
    explainRoutes,
    syncRoutes,
    recommendationRoutes,
    recommendationGroupRoutes,
    recommendationMoveRoutes,
    recommendationPreviewRoutes,
    estimateRoutes,
    withheldRoutes,
    planRoutes,
    manifestRoutes,
    policyRoutes,
    ruleRoutes,
    savingsRoutes,
    agentTokenRoutes,
    priceRoutes,
    priceOverrideRoutes,
    priceBookRoutes,
    userRoutes,
    roleRoutes,
    apiKeyRoutes,
    signingKeyRoutes,
    signInRuleRoutes,
    teamCostRoutes,
    teamRoutes,
    teamMappingRoutes,
    costSharingRoutes,
    alertRoutes,
    alertRuleRoutes,
    channelRoutes,
    deliveryRoutes,
    auditRoutes,
    opencostRoutes,
    costMetricsRoutes,
  ]) {
    await app.register(named(resource), { deps })
  }
  await app.register(named(helmPathRoutes), { deps, parseLimits })
  await app.register(named(documentationRoutes), { deps, routes })
  await app.register(named(operationRoutes), { deps })
  if (servesMetrics) await app.register(named(metricsRoutes), { deps })
  await app.ready()
  return app
}

/** Fastify searches all loaded modules for the name of a plugin without a display name. That took a sixth of `buildApp`. */
function named<Plugin extends { readonly name: string }>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name })
}

const headBytesMax = 16 * 1024

/** Overrides framework defaults that would break the API contract, each with a test. */
function makeServer(deps: Deps, requestMsMax: number): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (request) => requestId(request.headers['x-request-id'], deps.now()),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMsMax,
    connectionTimeout: 60_000,
    return503OnClosing: false,
    trustProxy: deps.settings.trustedProxies.length > 0 ? [...deps.settings.trustedProxies] : false,
    routerOptions: { maxParamLength: headBytesMax },
    http: {
      requireHostHeader: false,
      maxHeaderSize: headBytesMax,
      headersTimeout: requestMsMax,
      connectionsCheckingInterval: requestMsMax / 6,
    },
    clientErrorHandler: (error, socket) => handleClientError(deps, error, socket),
    frameworkErrors: (error, request, reply) => {
      void answerBadAddress(deps, error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  takeOverExpectations(app)
  answerConnect(deps, app)
  readJsonBodies(app)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler((error, request, reply) => replyWithProblem(deps, error, request, reply))
  return app
}

/** No hook runs for an address that cannot be decoded, so this function does the work of the hooks. */
async function answerBadAddress(deps: Deps, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  putFixedHeaders(deps.settings, request, reply)
  try {
    await countAgainst(deps, request, reply, 'address')
    await replyWithProblem(deps, error, request, reply)
  } catch (problem) {
    await replyWithProblem(deps, problem, request, reply)
  }
  logAnswer(request, reply)
}

function guard(app: FastifyInstance, deps: Deps, page: StaticFile | undefined): void {
  let closing = false
  const limitPages = openPageLimit(deps)
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  app.decorateRequest('caller', null)
  requireAccess(app)
  app.addHook('onRequest', async (request, reply) => {
    putFixedHeaders(deps.settings, request, reply)
    if (closing)
      throw new Problem('service_unavailable', 'The service is shutting down.', { headers: { 'retry-after': '5' } })
    const badHost = hostProblem(request)
    if (badHost) {
      await countAgainst(deps, request, reply, 'address')
      throw badHost
    }
    if (page && wantsNotFoundPage(request, reply)) {
      limitPages(request, reply)
      return sendNotFoundPage(reply, page)
    }
    if (request.routeOptions.config.access === 'free') limitPages(request, reply)
    else await passGate(deps, request, reply)
    demandServable(request)
  })
}
