import { Type, type TSchema } from 'typebox'
import { Closed } from './common.ts'

const text = (description: string, maxLength = 1000) => Type.Optional(Type.String({ maxLength, description }))

/** Clients send booleans as Go writes them, and empty parameters. */
const flag = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(|true|false|True|False|TRUE|FALSE|t|f|T|F|1|0)$',
      'x-form': 'true or false',
      description,
    }),
  )

const ignored = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, text('Accepted and ignored')] as const))

const opencostWindow = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      '`today`, `yesterday`, `week`, `lastweek`, `month`, `lastmonth`, a duration such as `7d`, `1d offset 1d`, or two ' +
      'times in RFC 3339 or seconds since 1970, separated by a comma. Extended to whole hours. Default: `7d`',
    examples: ['7d'],
  }),
)

const filter = text(
  'A filter of OpenCost v2, such as `namespace:"shop"+label[app]!:"web"`: at most 4000 characters, nested at most 20 deep',
  4000,
)

const oldFilters = {
  filterClusters: text('Clusters, comma-separated. `*` at the end of a value selects by prefix'),
  filterNodes: text('Nodes; see filterClusters'),
  filterNamespaces: text('Namespaces; see filterClusters'),
  filterControllerKinds: text('Kinds of controllers in lower case; see filterClusters'),
  filterControllers: text('Controllers by name, or as kind:name; see filterClusters'),
  filterPods: text('Pods; see filterClusters'),
  filterLabels: text('Labels as name:value; see filterClusters'),
}

const selection = { window: opencostWindow, filter, ...oldFilters }

export const OpencostAllocationQuery = Closed({
  ...selection,
  aggregate: text(
    'Comma-separated: `cluster`, `node`, `namespace`, `pod`, `container`, `controllerKind`, `controller`, `deployment`, `statefulset`, `daemonset`, ' +
      '`job`, `team`, `department`, `environment`, `owner`, `product`, `label:<key>`, or `all`. ' +
      'Default: `cluster,node,namespace,pod,container`. Nodes, pods and containers of the last 35 days are stored',
  ),
  step: text('Length of the sets, such as `1h` or `1d`. Default: one set', 20),
  accumulate: text('`true` or `all`: one set. `hour`, `day`, `week`, `month` or `quarter`: sets of this length', 20),
  accumulateBy: text('The same as `accumulate`', 20),
  includeIdle: flag('Add idle cost as `__idle__`'),
  idle: flag('The same as `includeIdle`'),
  shareIdle: text(
    '`true` or `weighted`: share idle cost among the rows, in proportion to the cost of each resource',
    20,
  ),
  idleByNode: flag('Accepted and ignored: idle cost always has one row'),
  shareTenancyCosts: flag('Include overhead, such as the control plane fee, in `sharedCost`. Default: true'),
  includeAggregatedMetadata: flag('Add the labels that all parts of a row share, as far as the request names them'),
  ...ignored(['resolution', 'metrics', 'format', 'costUnit', 'sharelb', 'offset', 'limit']),
})

export const opencostNamesMax = 1000

const names = {
  search: text('A part of the names, in any case', 200),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: opencostNamesMax, default: opencostNamesMax })),
}

export const OpencostAllocationNamesQuery = Closed({
  ...selection,
  field: text('An aggregate, such as `namespace` or `label:app`. Default: `namespace`', 400),
  ...names,
})

export const OpencostAssetsQuery = Closed({
  window: opencostWindow,
  filterTypes: text(
    '`Node`, `Disk`, `LoadBalancer`, `ClusterManagement`, comma-separated. The response is then a list',
  ),
  ...ignored(['accumulate', 'disableAdjustments', 'step', 'format', 'costUnit']),
})

export const OpencostAssetNamesQuery = Closed({
  window: opencostWindow,
  field: text('`name`, `type`, `category`, `cluster`, `provider`, `providerID` or `service`. Default: `name`', 40),
  ...names,
})

/** Cloud costs are not collected, so that no parameter has an effect. */
export const OpencostNothingQuery = Closed({
  window: opencostWindow,
  ...ignored(['aggregate', 'accumulate', 'filter', 'costMetric', 'costType', 'sortBy', 'sortByOrder', 'sortDirection']),
  ...ignored(['limit', 'offset', 'costUnit', 'step', 'format']),
})

/** The fields of OpenCost 1.120. */
export const opencostAnswer = (title: string, description: string): TSchema =>
  Type.Object(
    {
      code: Type.Integer(),
      status: Type.String(),
      data: Type.Unsafe<unknown>({ description }),
      warning: Type.Optional(Type.String({ description: 'What the fields of OpenCost cannot say' })),
    },
    { title },
  )
