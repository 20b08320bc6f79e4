import { ClusterDetail, ClusterQuery } from '../schemas/cluster-detail.ts'
import {
  Cluster,
  ClusterList,
  CreateClusterBody,
  CreatedCluster,
  ListClustersQuery,
  UpdateClusterBody,
} from '../schemas/clusters.ts'
import { IfMatch, NoContent } from '../schemas/common.ts'
import { Job } from '../schemas/jobs.ts'
import { ClusterParams, JobParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const clusterOperations = {
  listClusters: operation('GET /api/v1/clusters', {
    access: 'clusters:read',
    tag: 'Clusters',
    summary: 'List clusters',
    query: ListClustersQuery,
    response: { 200: ClusterList },
  }),

  createCluster: operation('POST /api/v1/clusters', {
    access: 'clusters:write',
    tag: 'Clusters',
    summary: 'Connect a cluster',
    description: 'Only this response contains the agent token and the install commands.',
    body: CreateClusterBody,
    response: { 201: CreatedCluster },
  }),

  getCluster: operation('GET /api/v1/clusters/:cluster_id', {
    access: 'clusters:read',
    tag: 'Clusters',
    summary: 'Show a cluster',
    params: ClusterParams,
    query: ClusterQuery,
    response: { 200: ClusterDetail, 304: NoContent },
  }),

  updateCluster: operation('PATCH /api/v1/clusters/:cluster_id', {
    access: 'clusters:write',
    tag: 'Clusters',
    summary: 'Change the name, the provider or the region of a cluster',
    description:
      'The response contains the provider as you sent it. Aliases work: `AWS`, `amazon` and `eks` all use the prices of `aws`. ' +
      'The provider ID and the labels of a node take precedence. Without them, the new provider and ' +
      'region set the prices from now on; earlier hours keep their prices.',
    params: ClusterParams,
    headers: IfMatch,
    body: UpdateClusterBody,
    response: { 200: Cluster },
  }),

  deleteCluster: operation('DELETE /api/v1/clusters/:cluster_id', {
    access: 'clusters:delete',
    tag: 'Clusters',
    summary: 'Delete a cluster and all its data',
    params: ClusterParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  syncCluster: operation('POST /api/v1/clusters/:cluster_id/sync', {
    access: 'clusters:write',
    tag: 'Clusters',
    summary: 'Request a new snapshot and recalculate',
    description:
      'Returns a job. While a job runs, further calls return the same job. The job ends when a new snapshot arrives, or after 90 seconds ' +
      'with `result.agent_answered: false`.',
    params: ClusterParams,
    response: { 202: Job },
  }),

  getJob: operation('GET /api/v1/jobs/:job_id', {
    access: 'clusters:read',
    tag: 'Clusters',
    summary: 'Show the progress of a job',
    params: JobParams,
    response: { 200: Job },
  }),
}
