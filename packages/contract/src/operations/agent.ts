import { BatchAccepted, BatchHeaders, EncodedBatch, batchLimits } from '../payload/envelope.ts'
import { AgentManifestQuery, InstallTemplate } from '../schemas/agent-install.ts'
import { ClusterParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

const submitDescription = [
  'The body is gzip-compressed JSON; its envelope is in the headers.',
  'Live batches contain minutes, at most 10 minutes ahead of the server clock and at most 7 days old.',
  'Backfill batches (`Plimsoll-Kind: backfill`) have their own epochs and contain hourly history: node-hours (`hours`, with their',
  'objects) and hourly usage histograms per container of a workload (`usage`), at most 35 days back. Backfill fills',
  'hours without live data; live data that arrives later replaces it. `fold` lists rejected records.',
].join(' ')

export const agentOperations = {
  getAgentManifest: operation('GET /api/v1/clusters/:cluster_id/agent-manifest', {
    access: 'clusters:read',
    tag: 'Agent',
    summary: 'Show the agent manifest (YAML for kubectl)',
    description:
      'All objects except the Secret with the agent token; the install command creates the Secret first. The content is the same as the rendered Helm chart. `image` sets the agent image. If pods cannot reach the URL of the server, the first line contains a warning.',
    params: ClusterParams,
    query: AgentManifestQuery,
  }),

  getInstallCommands: operation('GET /api/v1/clusters/:cluster_id/install', {
    access: 'clusters:read',
    tag: 'Agent',
    summary: 'Show the install commands of the agent',
    description:
      'Install commands with a placeholder for the token, because a token is shown only once. Rotate the agent token to get commands with a new token.',
    params: ClusterParams,
    response: { 200: InstallTemplate },
  }),

  submitMetrics: operation('POST /api/v1/agent/metrics', {
    access: 'metrics:submit',
    tag: 'Agent',
    summary: 'Submit a batch from the agent',
    description: submitDescription,
    headers: BatchHeaders,
    body: EncodedBatch,
    response: { 202: BatchAccepted },
    bodyBytesMax: batchLimits.encodedBytesMax,
  }),
}
