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
    description: 'Answers with the agent token, which is shown this once, and with the commands that use it.',
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
      'The provider is echoed as sent and matched through aliases: `AWS`, `amazon` and `eks` all have the prices of `aws`. ' +
      'The provider ID and the labels of a node take precedence for its price. Where a node has none, the new provider and ' +
      'region price its hours from now on; earlier hours keep their prices.',
    params: ClusterParams,
    headers: IfMatch,
    body: UpdateClusterBody,
    response: { 200: Cluster },
  }),

  deleteCluster: operation('DELETE /api/v1/clusters/:cluster_id', {
    access: 'clusters:delete',
    tag: 'Clusters',
    summary: 'Remove a cluster and all its data',
    params: ClusterParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  syncCluster: operation('POST /api/v1/clusters/:cluster_id/sync', {
    access: 'clusters:write',
    tag: 'Clusters',
    summary: 'Recalculate now and ask the agent for a fresh snapshot',
    description:
      'Answers with a job. While one runs, another call shows the same. It ends with the snapshot, or after 90 seconds ' +
      'with `result.agent_answered: false`.',
    params: ClusterParams,
    response: { 202: Job },
  }),

  getJob: operation('GET /api/v1/jobs/:job_id', {
    access: 'clusters:read',
    tag: 'Clusters',
    summary: 'How far a job has come',
    params: JobParams,
    response: { 200: Job },
  }),
}
