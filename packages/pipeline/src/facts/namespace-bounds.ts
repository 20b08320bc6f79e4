import type { ObjectKind, ObjectVersion } from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import type { Sizes } from '@plimsoll/engine/manifests'

type Of<Kind extends ObjectKind> = Extract<ObjectVersion, { kind: Kind }>

/** All limit ranges of a namespace apply: the highest minimum and the lowest maximum. */
type RangeBounds = { min: Sizes; max: Sizes }

/** What remains in the fullest quota of a namespace. */
type QuotaLeft = { requests: Sizes; limits: Sizes }

export const boundsByNamespace = (ranges: readonly Of<'limit_range'>[]): Map<string, RangeBounds> =>
  each(
    groupBy(ranges, ({ namespace }) => namespace),
    (own) => ({
      min: sizes((of) => most(own.map(({ spec }) => spec.min?.[of]))),
      max: sizes((of) => least(own.map(({ spec }) => spec.max?.[of]))),
    }),
  )

export const quotaLeftByNamespace = (quotas: readonly Of<'quota'>[]): Map<string, QuotaLeft> =>
  each(
    groupBy(quotas, ({ namespace }) => namespace),
    (own) => ({
      requests: leftOf(own, 'request'),
      limits: leftOf(own, 'limit'),
    }),
  )

const leftOf = (quotas: readonly Of<'quota'>[], section: 'request' | 'limit') =>
  sizes((of) =>
    least(
      quotas.map(({ spec: { hard, used } }) => {
        const most = hard[`${of}_${section}`]
        return most === undefined ? undefined : Math.max(0, most - (used[`${of}_${section}`] ?? 0))
      }),
    ),
  )

const each = <From, To>(groups: ReadonlyMap<string, From>, of: (group: From) => To): Map<string, To> =>
  new Map([...groups].map(([key, group]) => [key, of(group)]))

const sizes = (of: (resource: 'cpu' | 'memory') => number | null): Sizes => ({
  cpuMillicores: of('cpu'),
  memoryKib: of('memory'),
})

const known = (values: readonly (number | undefined)[]) => values.filter((value) => value !== undefined)
const most = (values: readonly (number | undefined)[]) =>
  known(values).length === 0 ? null : Math.max(...known(values))
const least = (values: readonly (number | undefined)[]) =>
  known(values).length === 0 ? null : Math.min(...known(values))
