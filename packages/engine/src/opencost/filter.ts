/** The fields of a filter with one text per cost row. */
export const TEXT_FIELDS = [
  'cluster',
  'node',
  'namespace',
  'controllerKind',
  'controllerName',
  'pod',
  'container',
  'provider',
] as const
export type TextField = (typeof TEXT_FIELDS)[number]

/** Fields that stand for a label. */
export const ALIASES = ['department', 'environment', 'owner', 'product', 'team'] as const
export type Alias = (typeof ALIASES)[number]

/** Fields with a key, such as `label[app]`. Without a key, the comparison applies to the keys. */
export const MAP_FIELDS = ['label', 'annotation', 'nodeLabel'] as const
export type MapField = (typeof MAP_FIELDS)[number]

export type FilterField = TextField | Alias | MapField | 'services'

export const FILTER_FIELDS: readonly FilterField[] = [...TEXT_FIELDS, ...ALIASES, ...MAP_FIELDS, 'services']

export type FilterOperator = 'equals' | 'contains' | 'prefix' | 'suffix'

export type Comparison = {
  readonly kind: 'comparison'
  readonly field: FilterField
  /** Only of fields with a key; null: the keys themselves. */
  readonly key: string | null
  readonly operator: FilterOperator
  readonly isNegated: boolean
  /** One of them must match. Negated: none of them may match. */
  readonly values: readonly string[]
}

/** A filter of cost rows. An empty `and` selects every row. */
export type Filter = Comparison | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }

export const NO_FILTER: Filter = { kind: 'and', parts: [] }

/** Rows that match all filters. */
export function bothOf(filters: readonly Filter[]): Filter {
  const [first, ...others] = filters
  return first !== undefined && others.length === 0 ? first : { kind: 'and', parts: filters }
}

export const isMapField = (field: FilterField): field is MapField => MAP_FIELDS.some((each) => each === field)

export const isAlias = (field: FilterField): field is Alias => ALIASES.some((each) => each === field)

/** All comparisons of a filter. */
export function comparisonsOf(filter: Filter): Comparison[] {
  return filter.kind === 'comparison' ? [filter] : filter.parts.flatMap(comparisonsOf)
}
