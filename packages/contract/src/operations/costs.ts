import { Allocation, AllocationQuery } from '../schemas/allocation.ts'
import {
  DataQuality,
  IdleCostsAnswer,
  ListNodesQuery,
  ListWorkloadsQuery,
  NodeList,
  WorkloadList,
} from '../schemas/cluster-contents.ts'
import { NoContent } from '../schemas/common.ts'
import { IdleCostsQuery, Summary, WindowQuery } from '../schemas/costs.ts'
import { ExplainQuery, Explanation } from '../schemas/explain.ts'
import { Overview, OverviewQuery } from '../schemas/overview.ts'
import { ClusterParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const costOperations = {
  getAllocation: operation('GET /api/v1/allocation', {
    access: 'reports:read',
    tag: 'Costs',
    summary: 'Who pays for what',
    description:
      'Rows and what belongs to nobody add up to what everything costs, however they are grouped. By `node` and `node_pool` ' +
      'the idle cost is in the rows, where it arises, and what is on no node is `__none__`. A role that is narrowed to ' +
      'namespaces sees the rows of these alone.',
    query: AllocationQuery,
    response: { 200: Allocation },
  }),

  listNodes: operation('GET /api/v1/clusters/:cluster_id/nodes', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'List nodes, with what they cost and how full they were',
    params: ClusterParams,
    query: ListNodesQuery,
    response: { 200: NodeList },
  }),

  listWorkloads: operation('GET /api/v1/clusters/:cluster_id/workloads', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'List workloads, the most expensive first',
    description: 'A role that is narrowed to namespaces sees the workloads of these.',
    params: ClusterParams,
    query: ListWorkloadsQuery,
    response: { 200: WorkloadList },
  }),

  getDataQuality: operation('GET /api/v1/clusters/:cluster_id/data-quality', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'How much the figures of a cluster rest on',
    description: 'Coverage of use, bridged time, gaps, prices that are missing or estimated, and what was refused.',
    params: ClusterParams,
    query: WindowQuery,
    response: { 200: DataQuality },
  }),

  explainCost: operation('GET /api/v1/clusters/:cluster_id/explain', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'The receipt of a figure',
    description:
      'Quantities, rates with their evidence, hours and nodes: each list adds up to exactly the figure that other answers show.',
    params: ClusterParams,
    query: ExplainQuery,
    response: { 200: Explanation },
  }),

  getIdleCosts: operation('GET /api/v1/idle-costs', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'What was used, reserved and never asked for',
    query: IdleCostsQuery,
    response: { 200: IdleCostsAnswer },
  }),

  getClusterSummary: operation('GET /api/v1/clusters/:cluster_id/summary', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Costs, utilisation, idle costs and savings of a cluster',
    params: ClusterParams,
    query: WindowQuery,
    response: { 200: Summary },
  }),

  getOverview: operation('GET /api/v1/overview', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'What the fleet or a cluster costs, where it goes, what has changed and what to do',
    query: OverviewQuery,
    response: { 200: Overview, 304: NoContent },
  }),
}
