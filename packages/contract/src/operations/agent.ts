import { BatchAccepted, BatchHeaders, EncodedBatch, batchLimits } from '../payload/envelope.ts'
import { AgentManifestQuery, InstallTemplate } from '../schemas/agent-install.ts'
import { ClusterParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

const submitDescription = [
  'The body is gzipped JSON as in the payload description; its envelope is in the headers.',
  'Live batches contain minutes, at most 10 minutes ahead of the server clock and at most 7 days old.',
  'Backfill batches (`Plimsoll-Kind: backfill`) have their own epochs and contain hourly history: node-hours (`hours`, with their',
  'objects) and hourly usage histograms per container of a workload (`usage`), at most 35 days back. Backfill fills',
  'hours without live data; live data that arrives later replaces it. `fold` lists rejected records.',
].join(' ')

export const agentOperations = {
  getAgentManifest: operation('GET /api/v1/clusters/:cluster_id/agent-manifest', {
    access: 'clusters:read',
    tag: 'Agent',
    summary: 'Agent manifest as YAML for kubectl',
    description:
      'All objects but the secret `plimsoll-agent`, which holds the token and which the command that connecting a cluster prints makes first. The same as the Helm chart renders, with the image that you name. Where the server knows itself only by an address that no pod reaches, the first line says so.',
    params: ClusterParams,
    query: AgentManifestQuery,
  }),

  getInstallCommands: operation('GET /api/v1/clusters/:cluster_id/install', {
    access: 'clusters:read',
    tag: 'Agent',
    summary: 'Show the install commands of the agent',
    description:
      'As connecting the cluster answered them, with a placeholder where a token belongs: tokens are shown once. Rotating the agent token answers them with the new one.',
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
