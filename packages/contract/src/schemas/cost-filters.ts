import { Type } from 'typebox'
import { Formed, workloadPattern } from './common.ts'

export const list = (description: string, maxLength = 2000) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const workloadFilter = (description: string) =>
  Type.Optional(
    Formed(`^${workloadPattern}(,${workloadPattern})*$`, 'namespace/kind/name, or several, comma-separated', {
      minLength: 1,
      maxLength: 2000,
      description,
      examples: ['shop/Deployment/checkout'],
    }),
  )

/** The key as in `by`; written without a choice, so that it takes linear time. */
const labelValuePattern = '[A-Za-z0-9]+([._/-]+[A-Za-z0-9]+)*=[^=,\\s]*'

export const clustersFilter = list(
  'Comma-separated cluster IDs. All filters must match; the values of one filter are alternatives',
)

/** Filters beside namespace and workload. */
export const ownerFilters = {
  team: list('Comma-separated teams; `__none__` is cost without a team'),
  label: Type.Optional(
    Formed(`^${labelValuePattern}(,${labelValuePattern})*$`, 'key=value, or several, comma-separated', {
      minLength: 1,
      maxLength: 2000,
      description:
        'Comma-separated labels, as key=value. Values of one key are alternatives; all keys must match. `__none__` is cost ' +
        'without the label',
      examples: ['app=checkout,tier=backend'],
    }),
  ),
  controller_kind: list('Comma-separated workload kinds, such as `Deployment`', 500),
}

const comparisons = ['none', 'previous', 'year'] as const
export type AllocationComparison = (typeof comparisons)[number]

export const comparison = (note: string) =>
  Type.Optional(
    Type.Unsafe<AllocationComparison>({
      type: 'string',
      enum: [...comparisons],
      description:
        'The window to compare with: `previous` is the period of equal length directly before, or the previous calendar ' +
        `month or quarter; \`year\` is the same period one year earlier. ${note}`,
    }),
  )
