export type Labels = Readonly<Record<string, string>>

export type Requirement = {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values?: readonly string[]
}

export type LabelSelector = { readonly labels?: Labels; readonly expressions?: readonly Requirement[] }

/** An absent selector matches nothing, an empty one everything. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false
  return hasLabels(selector.labels, labels) && (selector.expressions ?? []).every((each) => meets(each, labels))
}

export function hasLabels(wanted: Labels | undefined, labels: Labels): boolean {
  for (const key in wanted) if (labels[key] !== wanted[key]) return false
  return true
}

/** A missing label is in no list, and is neither greater nor less than any value. */
export function meets({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compareWhole(value, values) > 0
    case 'Lt':
      return compareWhole(value, values) < 0
  }
}

/** NaN, which is neither above nor below 0, unless both are integers. */
function compareWhole(value: string | undefined, values: readonly string[]): number {
  const [limit] = values
  if (value === undefined || limit === undefined || values.length !== 1) return NaN
  if (!WHOLE.test(value) || !WHOLE.test(limit)) return NaN
  const [a, b] = [BigInt(value), BigInt(limit)]
  return a === b ? 0 : a > b ? 1 : -1
}

const WHOLE = /^-?\d+$/

/** The keys that decide whether a selector matches. */
export function keysOf({ labels = {}, expressions = [] }: LabelSelector): string[] {
  return [...Object.keys(labels), ...expressions.map(({ key }) => key)]
}
