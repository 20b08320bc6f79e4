/** What a cost pays for. `idle` is unallocated capacity of nodes. */
export const COST_PARTS = ['compute', 'idle', 'storage', 'load_balancer', 'overhead'] as const
export type CostPart = (typeof COST_PARTS)[number]

export const EFFECT_KINDS = [
  'hours',
  'new',
  'gone',
  'moved',
  'replicas',
  'request',
  'usage',
  'node_mix',
  'nodes',
  'allocated',
  'size',
  'price',
] as const
export type EffectKind = (typeof EFFECT_KINDS)[number]

const partsBesidesNodes = [
  'price',
  'storage',
  'load_balancers',
  'fees',
  'new_clusters',
  'gone_clusters',
  'hours',
] as const

/** The parts of the change of a bill. They add up to its difference. */
export const WATERFALL_PARTS = ['nodes_removed', 'nodes_added', 'nodes_kept', ...partsBesidesNodes] as const
export type WaterfallPart = (typeof WATERFALL_PARTS)[number]

/** The causes besides plan steps. `nodes`: changes of nodes that no step named. */
export const OTHER_CAUSES = ['nodes', ...partsBesidesNodes] as const
export type OtherCause = (typeof OTHER_CAUSES)[number]
