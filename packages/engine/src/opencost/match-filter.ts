import {
  isAlias,
  isMapField,
  type Alias,
  type Comparison,
  type Filter,
  type FilterOperator,
  type TextField,
} from './filter.ts'

type Texts = Readonly<Record<string, string>>

/** A cost row as filters see it. An absent value is an empty text. */
export type FilterSubject = Readonly<Record<Exclude<TextField, 'cluster'>, string>> & {
  /** Its name and its ID. */
  readonly cluster: readonly string[]
  readonly services: readonly string[]
  readonly label: Texts
  readonly annotation: Texts
  readonly nodeLabel: Texts
  readonly aliases: Readonly<Partial<Record<Alias, string>>>
}

export const UNALLOCATED = '__unallocated__'

/** Prometheus allows only these characters in label names, so clients of OpenCost send names in this form. */
export const sanitizedName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_]/g, '_')

export function filterPredicate(filter: Filter): (subject: FilterSubject) => boolean {
  if (filter.kind === 'comparison') return comparisonPredicate(filter)
  const parts = filter.parts.map(filterPredicate)
  return filter.kind === 'and'
    ? (subject) => parts.every((matches) => matches(subject))
    : (subject) => parts.some((matches) => matches(subject))
}

function comparisonPredicate(comparison: Comparison): (subject: FilterSubject) => boolean {
  const { isNegated, values } = comparison
  // Clients of OpenCost send the name that an answer has for an absent value.
  const wanted = values.map((value) => (value === UNALLOCATED ? '' : value))
  const matches = valueMatcher(comparison)
  return (subject) => wanted.some((value) => matches(subject, value)) !== isNegated
}

function valueMatcher({ field, key, operator }: Comparison): (subject: FilterSubject, value: string) => boolean {
  const compare = comparers[operator]
  if (isAlias(field)) {
    return ({ aliases }, value) => {
      const own = aliases[field]
      return own === undefined ? value === '' : compare(own, value)
    }
  }
  if (field === 'cluster') return ({ cluster }, value) => cluster.some((each) => compare(each, value))
  if (field === 'services') {
    if (operator !== 'contains') return ({ services }, value) => services.some((each) => compare(each, value))
    return ({ services }, value) => (services.length === 0 ? value === '' : services.includes(value))
  }
  if (!isMapField(field)) return (subject, value) => compare(subject[field], value)
  if (key !== null) {
    const name = sanitizedName(key)
    return (subject, value) => compare(valueOf(subject[field], key, name), value)
  }
  const compareName = operator === 'contains' ? comparers.equals : compare
  return (subject, value) =>
    Object.keys(subject[field]).some((each) => compareName(sanitizedName(each), sanitizedName(value)))
}

function valueOf(texts: Texts, key: string, sanitized: string): string {
  if (Object.hasOwn(texts, key)) return texts[key] ?? ''
  return Object.entries(texts).find(([each]) => sanitizedName(each) === sanitized)?.[1] ?? ''
}

const comparers: Record<FilterOperator, (own: string, value: string) => boolean> = {
  equals: (own, value) => own === value,
  contains: (own, value) => own.includes(value),
  prefix: (own, value) => own.startsWith(value),
  suffix: (own, value) => own.endsWith(value),
}
