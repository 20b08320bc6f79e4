import {
  opencostAnswer,
  OpencostAllocationNamesQuery,
  OpencostAllocationQuery,
  OpencostAssetNamesQuery,
  OpencostAssetsQuery,
  OpencostNothingQuery,
} from '../schemas/opencost.ts'
import { operation } from './operation.ts'

const tag = 'OpenCost'
const ofTeams = { access: 'reports:read', tag, narrowsToTeams: true } as const
const ofClusters = { access: 'reports:read', tag } as const

const allocation = {
  ...ofTeams,
  query: OpencostAllocationQuery,
  response: {
    200: opencostAnswer(
      'OpencostAllocation',
      'One map of allocations by key for each set, with the fields of OpenCost',
    ),
  },
} as const

const summary = {
  ...ofTeams,
  query: OpencostAllocationQuery,
  response: {
    200: opencostAnswer('OpencostSummary', '`step`, `window` and `sets`, each with a map of `allocations` by key'),
  },
} as const

const description =
  'The figures of `GET /api/v1/allocation` in the form of OpenCost. With idle cost, the rows add up to its total. See ' +
  '`docs/opencost.md` for the differences.'

const nothing = {
  ...ofTeams,
  query: OpencostNothingQuery,
  response: { 200: opencostAnswer('OpencostNothing', 'Empty, with a warning') },
} as const

/** For clients of OpenCost. The names of paths, parameters and fields are those of OpenCost. */
export const opencostOperations = {
  getOpencostAllocation: operation('GET /model/allocation', {
    ...allocation,
    summary: 'Show the allocation in the form of OpenCost',
    description,
  }),
  computeOpencostAllocation: operation('GET /model/allocation/compute', {
    ...allocation,
    summary: 'Show the allocation in the form of OpenCost; same as /model/allocation',
    description,
  }),
  getOpencostSummary: operation('GET /model/allocation/summary', {
    ...summary,
    summary: 'Show a short allocation in the form of OpenCost',
    description,
  }),
  computeOpencostSummary: operation('GET /model/allocation/compute/summary', {
    ...summary,
    summary: 'Show a short allocation in the form of OpenCost; same as /model/allocation/summary',
    description,
  }),
  listOpencostNames: operation('GET /model/allocation/autocomplete', {
    ...ofTeams,
    summary: 'List names of namespaces, controllers, labels and other aggregates',
    query: OpencostAllocationNamesQuery,
    response: { 200: opencostAnswer('OpencostNames', '`data` has the names in alphabetical order') },
  }),
  getOpencostAssets: operation('GET /model/assets', {
    ...ofClusters,
    summary: 'Show nodes, volumes, load balancers and control planes in the form of OpenCost',
    description: 'Requires a role for whole clusters. The assets add up to the total of `GET /api/v1/allocation`.',
    query: OpencostAssetsQuery,
    response: { 200: opencostAnswer('OpencostAssets', 'A map of assets by key; with `filterTypes` a list of one map') },
  }),
  listOpencostAssetNames: operation('GET /model/assets/autocomplete', {
    ...ofClusters,
    summary: 'List names and other properties of assets',
    description: 'Requires a role for whole clusters.',
    query: OpencostAssetNamesQuery,
    response: { 200: opencostAnswer('OpencostAssetNames', '`data` has the names in alphabetical order') },
  }),
  getOpencostCluster: operation('GET /model/clusterInfo', {
    ...ofTeams,
    summary: 'Show the first cluster of the caller in the form of OpenCost',
    response: { 200: opencostAnswer('OpencostCluster', '`id`, `name` and `provider` of a cluster') },
  }),
  listOpencostClusters: operation('GET /model/clusterInfoMap', {
    ...ofTeams,
    summary: 'List clusters by ID in the form of OpenCost',
    response: { 200: opencostAnswer('OpencostClusters', 'A map of clusters by ID') },
  }),
  getOpencostConfigs: operation('GET /model/getConfigs', {
    ...ofTeams,
    summary: 'Show the currency in the form of OpenCost',
    response: { 200: opencostAnswer('OpencostConfigs', '`currencyCode`') },
  }),
  getOpencostCloudCost: operation('GET /model/cloudCost', {
    ...nothing,
    summary: 'Return no cloud costs, and a warning',
  }),
  getOpencostCloudCostGraph: operation('GET /model/cloudCost/view/graph', {
    ...nothing,
    summary: 'Return an empty graph of cloud costs, and a warning',
  }),
  getOpencostCloudCostTotals: operation('GET /model/cloudCost/view/totals', {
    ...nothing,
    summary: 'Return empty totals of cloud costs, and a warning',
  }),
  getOpencostCloudCostTable: operation('GET /model/cloudCost/view/table', {
    ...nothing,
    summary: 'Return an empty table of cloud costs, and a warning',
  }),
  getOpencostCloudCostStatus: operation('GET /model/cloudCost/status', {
    ...nothing,
    summary: 'Return an empty status of cloud costs, and a warning',
  }),
  getOpencostCustomCostTotal: operation('GET /model/customCost/total', {
    ...nothing,
    summary: 'Return an empty total of custom costs, and a warning',
  }),
  getOpencostCustomCosts: operation('GET /model/customCost/timeseries', {
    ...nothing,
    summary: 'Return no custom costs over time, and a warning',
  }),
  getOpencostCustomCostStatus: operation('GET /model/customCost/status', {
    ...nothing,
    summary: 'Return an empty status of custom costs, and a warning',
  }),
}
