import { Allocation, AllocationQuery } from '../schemas/allocation.ts'
import { Changes, ChangesQuery } from '../schemas/changes.ts'
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
import { Estimate, EstimateBody } from '../schemas/estimates.ts'
import { ExplainQuery, Explanation } from '../schemas/explain.ts'
import { Overview, OverviewQuery } from '../schemas/overview.ts'
import { ClusterParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const costOperations = {
  getAllocation: operation('GET /api/v1/allocation', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Costs',
    summary: 'Show the cost allocation',
    description:
      'The rows and the cost without an owner add up to the total cost in every grouping. By `node` and `node_pool`, ' +
      'each row includes its idle cost, and cost outside nodes is `__none__`. A role limited to ' +
      'namespaces or teams sees only the rows of its namespaces and teams.',
    query: AllocationQuery,
    response: { 200: Allocation },
  }),

  estimateChange: operation('POST /api/v1/estimates', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Estimate what a change of workloads costs',
    description:
      'For each workload: the monthly cost of its requests before and after the change, at the rates of the nodes that ' +
      'run it. For the whole change: what the bill will do. Plimsoll runs the scheduler and the autoscalers on the ' +
      'newest snapshot with the change, so a request that fits into free capacity adds $0 to the bill. Unknown figures ' +
      'are null, with the reason in `notes`. Nothing changes in Plimsoll or in a cluster. A role limited to namespaces ' +
      'may name only workloads of its namespaces, and does not see the bill.',
    body: EstimateBody,
    response: { 200: Estimate },
  }),

  getChanges: operation('GET /api/v1/changes', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Costs',
    summary: 'Compare the cost of two windows and explain the difference',
    description:
      'Splits the difference of the cost into effects, such as replicas, requests and prices. The effects of each line ' +
      'add up to its difference. The totals are those of the allocation of the same windows and filters. A role limited ' +
      'to namespaces or teams sees only the rows of its namespaces and teams.',
    query: ChangesQuery,
    response: { 200: Changes },
  }),

  listNodes: operation('GET /api/v1/clusters/:cluster_id/nodes', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'List nodes with cost and utilization',
    params: ClusterParams,
    query: ListNodesQuery,
    response: { 200: NodeList },
  }),

  listWorkloads: operation('GET /api/v1/clusters/:cluster_id/workloads', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'List workloads, the most expensive first',
    description: 'A role limited to namespaces sees only the workloads of its namespaces.',
    params: ClusterParams,
    query: ListWorkloadsQuery,
    response: { 200: WorkloadList },
  }),

  getDataQuality: operation('GET /api/v1/clusters/:cluster_id/data-quality', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Show the data quality of a cluster',
    description: 'Usage coverage, time without agent reports, gaps, missing and estimated prices, and rejected data.',
    params: ClusterParams,
    query: WindowQuery,
    response: { 200: DataQuality },
  }),

  explainCost: operation('GET /api/v1/clusters/:cluster_id/explain', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Explain a cost figure',
    description:
      'Returns the quantities, rates, sources, hours and nodes behind a figure. Each list adds up exactly to the figure in other responses.',
    params: ClusterParams,
    query: ExplainQuery,
    response: { 200: Explanation },
  }),

  getIdleCosts: operation('GET /api/v1/idle-costs', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Show compute cost by class: used, requested but unused, unallocated',
    query: IdleCostsQuery,
    response: { 200: IdleCostsAnswer },
  }),

  getClusterSummary: operation('GET /api/v1/clusters/:cluster_id/summary', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Show cost, utilization, idle cost and savings of a cluster',
    params: ClusterParams,
    query: WindowQuery,
    response: { 200: Summary },
  }),

  getOverview: operation('GET /api/v1/overview', {
    access: 'clusters:read',
    tag: 'Costs',
    summary: 'Show run rate, compute classes, changes and recommendations of all clusters or one cluster',
    query: OverviewQuery,
    response: { 200: Overview, 304: NoContent },
  }),
}
