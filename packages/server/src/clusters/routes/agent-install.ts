import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AgentManifestQuery, InstallTemplate } from '@plimsoll/contract'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { agentChart, agentManifest } from '../agent-install.ts'
import type { Deps } from '../../platform/deps.ts'
import { installCommands, installPaths, tokenPlaceholder } from '../install-commands.ts'
import { ClusterParams, visibleCluster } from '../cluster-access.ts'

/** What is free for everybody answers whatever else stands in the address. */
const openQuery = Type.Object(AgentManifestQuery.properties)

/** What the agent is installed with. helm and kubectl fetch it, and neither sends credentials. */
export const agentInstallRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  // Made once: whoever asks for them is not counted, and packing takes time.
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

  app.get(
    '/api/v1/clusters/:cluster_id/agent-manifest',
    {
      schema: {
        summary: 'The agent of a cluster as YAML for kubectl',
        description:
          'All objects but the secret `plimsoll-agent`, which holds the token and which the command that connecting a cluster prints makes first. The same as the Helm chart renders, with the image that you name. Where the server knows itself only by an address that no pod reaches, the first line says so.',
        tags: ['Agent'],
        params: ClusterParams,
        querystring: AgentManifestQuery,
      },
      preParsing: visibleCluster(deps),
    },
    async ({ query }, reply) => sendManifest(reply, query),
  )

  app.get(
    '/api/v1/clusters/:cluster_id/install',
    {
      schema: {
        summary: 'The commands that install the agent of a cluster',
        description:
          'As connecting the cluster answered them, with a placeholder where a token belongs: tokens are shown once. Rotating the agent token answers them with the new one.',
        tags: ['Agent'],
        params: ClusterParams,
        response: { 200: InstallTemplate },
      },
      preParsing: visibleCluster(deps),
    },
    async () => ({ ...installCommands(deps.settings, tokenPlaceholder), token_placeholder: tokenPlaceholder }),
  )
}
