import type { Filter } from '@plimsoll/engine/opencost'

export type OldFilterQuery = {
  filterClusters?: string
  filterNodes?: string
  filterNamespaces?: string
  filterControllerKinds?: string
  filterControllers?: string
  filterPods?: string
  filterLabels?: string
}

type Field = 'cluster' | 'node' | 'namespace' | 'controllerKind' | 'controllerName' | 'pod' | 'label'

const fields: Record<keyof OldFilterQuery, Field> = {
  filterClusters: 'cluster',
  filterNodes: 'node',
  filterNamespaces: 'namespace',
  filterControllerKinds: 'controllerKind',
  filterControllers: 'controllerName',
  filterPods: 'pod',
  filterLabels: 'label',
}

/** The filters of OpenCost v1: values separated by commas; `*` at the end selects by prefix. */
export const oldFilters = (query: OldFilterQuery): Filter[] =>
  (Object.keys(fields) as (keyof OldFilterQuery)[]).flatMap((name) => {
    const values = (query[name] ?? '').split(',').filter((each) => each !== '')
    return values.length === 0
      ? []
      : [{ kind: 'or' as const, parts: values.map((each) => valueFilter(fields[name], each)) }]
  })

function valueFilter(field: Field, value: string): Filter {
  const at = value.indexOf(':')
  const [before, after] = [value.slice(0, at), value.slice(at + 1)]
  if (field === 'label') return at === -1 ? comparison(field, '', value) : comparison(field, before, after)
  if (field !== 'controllerName' || at === -1) return comparison(field, null, value)
  return { kind: 'and', parts: [comparison('controllerKind', null, before), comparison(field, null, after)] }
}

const comparison = (field: Field, key: string | null, value: string): Filter => ({
  ...{ kind: 'comparison', field, isNegated: false, key: key === '' ? null : key },
  operator: value.endsWith('*') ? 'prefix' : key === '' ? 'contains' : 'equals',
  values: [value.endsWith('*') ? value.slice(0, -1) : value],
})
