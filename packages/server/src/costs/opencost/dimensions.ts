import {
  ALIAS_LABELS,
  comparisonsOf,
  sanitizedName,
  type Aggregate,
  type Comparison,
  type Filter,
} from '@plimsoll/engine/opencost'
import type { Dimension } from '@plimsoll/engine/allocation'
import type { PodDimension } from '../queries/opencost-pods.ts'
import { TEAM_DIMENSION } from '../parse-grouping.ts'

type Asked = { aggregates: readonly Aggregate[]; filter: Filter }

/** Not collected: a row never has such a value. */
const absent = new Set(['service', 'services', 'annotation', 'nodeLabel', 'provider'])
const perPod = ['node', 'pod', 'container'] as const

const namesOf = ({ aggregates, filter }: Asked): string[] => [
  ...aggregates.map(({ kind }) => kind),
  ...comparisonsOf(filter).map(({ field }) => field),
]

/** The asked dimensions without data. */
export const absentDimensions = (asked: Asked) => [...new Set(namesOf(asked))].filter((name) => absent.has(name))

/** The asked dimensions that only pods have. */
export const podDimensions = (asked: Asked): PodDimension[] => perPod.filter((each) => namesOf(asked).includes(each))

/** The stored dimensions that the asked ones need. `labelNames` are the names of all stored labels. */
export function storedDimensions(asked: Asked, labelNames: readonly string[]): Dimension[] {
  const dimensions = namesOf(asked).flatMap((name): Dimension[] => {
    if (name === 'namespace') return ['namespace']
    if (name === 'controllerKind') return ['controllerKind']
    if (['controller', 'controllerName', 'deployment', 'statefulset', 'daemonset', 'job', ...perPod].includes(name))
      return ['workload']
    return name === 'team' ? [TEAM_DIMENSION] : []
  })
  const labels = labelKeys(asked, labelNames).map((key): Dimension => `label:${key}`)
  return [...new Set([...dimensions, ...labels])]
}

/** Whether the stored labels must be known: a name may be in the form of Prometheus, or only a part of a name. */
export const needsLabelNames = (asked: Asked) =>
  askedLabels(asked).some(({ isPart, key }) => isPart || key.includes('_'))

type AskedLabel = { key: string; isPart: boolean; matches: (name: string) => boolean }

function askedLabels({ aggregates, filter }: Asked): AskedLabel[] {
  return [
    ...aggregates.flatMap((each) => ('key' in each && each.kind === 'label' ? [exactly(each.key)] : [])),
    ...comparisonsOf(filter).flatMap((each) => (each.field === 'label' ? labelsOf(each) : [])),
    ...Object.entries(ALIAS_LABELS).flatMap(([alias, key]) =>
      namesOf({ aggregates, filter }).includes(alias) ? [exactly(key)] : [],
    ),
  ]
}

const exactly = (key: string): AskedLabel => ({
  key,
  isPart: false,
  matches: (name) => sanitizedName(name) === sanitizedName(key),
})

function labelsOf({ key, operator, values }: Comparison): AskedLabel[] {
  if (key !== null) return [exactly(key)]
  if (operator === 'contains') return values.map(exactly)
  return values.map((value) => {
    const part = sanitizedName(value)
    const matches = (name: string) =>
      operator === 'prefix' ? sanitizedName(name).startsWith(part) : sanitizedName(name).endsWith(part)
    return { key: value, isPart: true, matches }
  })
}

function labelKeys(asked: Asked, labelNames: readonly string[]): string[] {
  const keys = askedLabels(asked).flatMap(({ key, isPart, matches }) => [
    ...(isPart ? [] : [key]),
    ...labelNames.filter(matches),
  ])
  return [...new Set(keys)]
}
