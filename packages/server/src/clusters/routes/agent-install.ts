import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AgentManifestQuery, operations } from '@plimsoll/contract'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { agentChart, agentManifest } from '../agent-install.ts'
import type { Deps } from '../../platform/deps.ts'
import { installCommands, installPaths, tokenPlaceholder } from '../install-commands.ts'
import { visibleCluster } from '../cluster-access.ts'
import { handle } from '../../platform/http/handle.ts'

/** Public files ignore other query parameters. */
const openQuery = Type.Object(AgentManifestQuery.properties)

/** The files that install the agent. helm and kubectl fetch them without credentials. */
export const agentInstallRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  // Created once: requests are not rate-limited, and packing takes time.
  const { publicUrl, agentImage } = deps.settings
  const manifest = await agentManifest(publicUrl)
  const chart = await agentChart()
  const sendManifest = (reply: FastifyReply, { image = agentImage }: AgentManifestQuery) =>
    reply.type('application/yaml').header('cache-control', 'no-cache').send(manifest(image))

  app.get(installPaths.manifest, { schema: { hide: true, querystring: openQuery } }, async ({ query }, reply) =>
    sendManifest(reply, query),
  )

  app.get(installPaths.chart, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/gzip').header('cache-control', 'no-cache').send(chart),
  )

  handle(app, operations.getAgentManifest, {
    preParsing: visibleCluster(deps),
    handler: async ({ query }, reply) => sendManifest(reply, query),
  })

  handle(app, operations.getInstallCommands, {
    preParsing: visibleCluster(deps),
    handler: async () => ({ ...installCommands(deps.settings, tokenPlaceholder), token_placeholder: tokenPlaceholder }),
  })
}
