import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILTER_FIELDS, isMapField, type Comparison, type Filter, type FilterOperator } from './filter.ts'
import { filterPredicate, type FilterSubject } from './match-filter.ts'
import { filterDepthMax, filterLengthMax, parseFilter } from './parse-filter.ts'

const operatorTexts: Record<FilterOperator, [string, string]> = {
  equals: [':', '!:'],
  contains: ['~:', '!~:'],
  prefix: ['<~:', '!<~:'],
  suffix: ['~>:', '!~>:'],
}

const names = fc.constantFrom('', 'a', 'ab', 'shop', 'shop-web', '__unallocated__', 'b c', 'ü')
const keys = fc.constantFrom('app', 'app.kubernetes.io/name', 'app_kubernetes_io_name')

const comparisons: fc.Arbitrary<Comparison> = fc
  .record({
    field: fc.constantFrom(...FILTER_FIELDS),
    key: fc.option(keys),
    operator: fc.constantFrom<FilterOperator>('equals', 'contains', 'prefix', 'suffix'),
    isNegated: fc.boolean(),
    values: fc.array(names, { minLength: 1, maxLength: 3 }),
  })
  .map((each) => {
    const key = isMapField(each.field) ? each.key : null
    const isOfList = each.field === 'services' || (isMapField(each.field) && key === null)
    const operator = isOfList && each.operator === 'equals' ? 'contains' : each.operator
    return { ...each, kind: 'comparison' as const, key, operator }
  })

const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    comparisons,
    fc.record({
      kind: fc.constantFrom<'and' | 'or'>('and', 'or'),
      parts: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).filter

function textOf(filter: Filter): string {
  if (filter.kind !== 'comparison')
    return filter.parts
      .map((part) => (part.kind === 'comparison' ? textOf(part) : `(${textOf(part)})`))
      .join(filter.kind === 'and' ? ' + ' : ' | ')
  const { field, key, operator, isNegated, values } = filter
  const sign = operatorTexts[operator][isNegated ? 1 : 0]
  return `${field}${key === null ? '' : `[${key}]`} ${sign} ${values.map((each) => `"${each}"`).join(',')}`
}

const texts = fc.constantFrom('', 'a', 'ab', 'shop', 'shop-web', 'b c', 'ü')
const maps = fc.dictionary(keys, texts, { maxKeys: 2, noNullPrototype: true })
const subjects: fc.Arbitrary<FilterSubject> = fc.record({
  cluster: fc.tuple(texts, texts),
  node: texts,
  namespace: texts,
  controllerKind: texts,
  controllerName: texts,
  pod: texts,
  container: texts,
  provider: texts,
  services: fc.array(texts, { maxLength: 2 }),
  label: maps,
  annotation: maps,
  nodeLabel: maps,
  aliases: fc.record({ team: texts, owner: texts }, { requiredKeys: [] }),
})

const parsed = (text: string) => {
  const result = parseFilter(text)
  if (result.kind === 'invalid') throw new Error(result.reason)
  return result.value
}
const reasonOf = (text: string) => {
  const result = parseFilter(text)
  return result.kind === 'invalid' ? result.reason : undefined
}

test('a written filter is read back as the same filter', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(parsed(textOf(filter))).toEqual(filter)
    }),
  )
})

test('a negated comparison selects exactly the rows that the comparison does not select', () => {
  fc.assert(
    fc.property(comparisons, subjects, (comparison, subject) => {
      const other = filterPredicate({ ...comparison, isNegated: !comparison.isNegated })
      expect(other(subject)).toBe(!filterPredicate(comparison)(subject))
    }),
  )
})

test('+ selects rows of both filters, | of any of them', () => {
  fc.assert(
    fc.property(filters, filters, subjects, (one, two, subject) => {
      const [a, b] = [filterPredicate(one)(subject), filterPredicate(two)(subject)]
      expect(filterPredicate(parsed(`(${textOf(one)})+(${textOf(two)})`))(subject)).toBe(a && b)
      expect(filterPredicate(parsed(`(${textOf(one)})|(${textOf(two)})`))(subject)).toBe(a || b)
    }),
  )
})

test('any text is accepted or gets a reason', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z"[\]()+|:!~<>, ]{0,60}$/)), (text) => {
      const result = parseFilter(text)
      if (result.kind === 'invalid') expect(result.reason).not.toBe('')
    }),
  )
})

test.each([
  ['namespace:shop', 'a value in quotation marks is missing at character 11'],
  ['namespace', 'an operator such as `:` is missing at the end'],
  ['namespace:"a"+cluster:"b"|pod:"c"', '`+` and `|` in one group need parentheses'],
  ['(namespace:"a"', '`)` is missing at the end'],
  ['namespace:"a")', '`+`, `|` or the end is missing at character 14'],
  ['namespace:"a', 'a text without a closing quotation mark at character 11'],
  ['label[app:"a"', 'a key without `]` at character 6'],
  ['namespace:"a"+', 'a field is missing at the end'],
  ['namespace=="a"', "'=' is not expected at character 10"],
])('%s is refused', (text, reason) => {
  expect(reasonOf(text)).toBe(reason)
})

test('an unknown field is refused with the known ones', () => {
  expect(reasonOf('namspace:"a"')).toContain("'namspace' is not a field; use cluster, node, namespace")
})

test('a filter without content selects every row', () => {
  fc.assert(
    fc.property(subjects, (subject) => {
      expect(filterPredicate(parsed(' '))(subject)).toBe(true)
    }),
  )
})

test('a deep or long filter is refused', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}pod:"a"${')'.repeat(depth)}`
  expect(reasonOf(nested(filterDepthMax - 1))).toBeUndefined()
  expect(reasonOf(nested(filterDepthMax))).toContain('nested at most 20 deep')
  expect(reasonOf(nested(1000))).toContain('nested at most 20 deep')
  expect(reasonOf('('.repeat(filterLengthMax))).toContain('nested at most 20 deep')
  expect(reasonOf(`pod:"${'a'.repeat(filterLengthMax)}"`)).toContain('at most 4000 characters')
})
