import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { filterPredicate, parseFilter, type FilterSubject } from '@plimsoll/engine/opencost'
import { expect, test } from 'vitest'

const directory = process.env.PLIMSOLL_COST_CLIENTS
if (directory === undefined)
  process.stderr.write(
    'SKIPPED: no filter-judge; build it with scripts/build-cost-clients and set PLIMSOLL_COST_CLIENTS\n',
  )

const filtersPerRun = 1000

/** Properties of an allocation, in the names of OpenCost. */
type Properties = Record<
  'cluster' | 'node' | 'namespace' | 'controllerKind' | 'controller' | 'pod' | 'container',
  string
> & {
  providerID: string
  services: string[]
  labels: Record<string, string>
  annotations: Record<string, string>
}

const word = fc.constantFrom('a', 'web', 'web-1', 'shop', 'Web', 'eb', '__unallocated__', 'kube-system', '')
const absentOrWord = fc.constantFrom('', 'a', 'web', 'web-1', 'shop', 'Web', 'kube-system')
const labelKey = fc.constantFrom('app', 'tier', 'app_kubernetes_io_name')
const labels = fc.dictionary(labelKey, fc.constantFrom('a', 'web', 'web-1', 'shop'), {
  maxKeys: 3,
  noNullPrototype: true,
})

const allocation: fc.Arbitrary<Properties> = fc.record({
  ...{ cluster: absentOrWord, node: absentOrWord, namespace: absentOrWord, controllerKind: absentOrWord },
  ...{ controller: absentOrWord, pod: absentOrWord, container: absentOrWord, providerID: absentOrWord },
  services: fc.array(fc.constantFrom('a', 'web', 'shop'), { maxLength: 2 }),
  ...{ labels, annotations: labels },
})

const operator = fc.constantFrom(':', '!:', '~:', '!~:', '<~:', '!<~:', '~>:', '!~>:')
const plainFields = ['cluster', 'node', 'namespace', 'controllerKind', 'controllerName', 'pod', 'container', 'provider']
const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plainFields) },
  { weight: 1, arbitrary: fc.constantFrom('services', 'department', 'team', 'label', 'annotation') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('label', 'annotation'), fc.constantFrom('app', 'tier', 'app.kubernetes.io/name'))
      .map(([name, key]) => `${name}[${key}]`),
  },
)
const comparison = fc
  .tuple(field, operator, fc.array(word, { minLength: 1, maxLength: 3 }))
  .map(([name, sign, values]) => `${name}${sign}${values.map((value) => `"${value}"`).join(',')}`)

const valid = fc.letrec<{ group: string }>((tie) => ({
  group: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc
      .tuple(fc.constantFrom('+', '|', ' + ', ' | '), fc.array(tie('group'), { minLength: 2, maxLength: 3 }))
      .map(([sign, parts]) => `(${parts.join(sign)})`),
  ),
})).group

/** Without the parentheses around the whole filter, some of them. */
const unwrapped = fc
  .tuple(valid, fc.boolean())
  .map(([text, isOpen]) => (isOpen && text.startsWith('(') ? text.slice(1, -1) : text))

const pieces = [
  '+',
  '|',
  '(',
  ')',
  ',',
  ':',
  '!',
  '~',
  '<',
  '>',
  '"',
  '[',
  ']',
  'namespace',
  'label',
  '"a"',
  ' ',
  'x',
  '_',
]

/** Filters with a piece too much, or without a part. */
const damaged = fc
  .tuple(unwrapped, fc.nat(), fc.nat(4), fc.constantFrom('', ...pieces))
  .map(([text, at, length, piece]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + piece + text.slice(start + length)
  })

const filter = fc.oneof({ weight: 2, arbitrary: unwrapped }, { weight: 1, arbitrary: damaged })

const subjectOf = (own: Properties): FilterSubject => ({
  ...own,
  cluster: [own.cluster],
  controllerName: own.controller,
  provider: own.providerID,
  label: own.labels,
  annotation: own.annotations,
  ...{ nodeLabel: {}, aliases: {} },
})

/** OpenCost ignores what follows a value without a sign, and so a part of the filter. Such a filter is an error here. */
const hasIgnoredPart = (text: string) => /V[ \t]*[V\w[]/.test(text.replaceAll(/"[^"]*"/g, 'V'))

/** The labels of these fields are settings of OpenCost. */
const hasAlias = (text: string) => /department|team/.test(text)

type Verdict = { accepted: boolean; selected: boolean[] | null }

function judged(filters: readonly string[], allocations: readonly Properties[]): Verdict[] {
  const options = { input: JSON.stringify({ filters, allocations }), maxBuffer: 1e8, encoding: 'utf8' as const }
  return JSON.parse(
    execFileSync(join(directory ?? '', 'filter-judge'), [], { ...options, stdio: ['pipe', 'pipe', 'ignore'] }),
  ) as Verdict[]
}

function ours(text: string, allocations: readonly Properties[]): Verdict {
  const parsed = parseFilter(text)
  if (parsed.kind === 'invalid') return { accepted: false, selected: null }
  const isSelected = filterPredicate(parsed.value)
  return { accepted: true, selected: allocations.map((own) => isSelected(subjectOf(own))) }
}

test.skipIf(directory === undefined)('OpenCost accepts the same filters, and they select the same allocations', () => {
  const [filters = []] = fc.sample(fc.array(filter, { minLength: filtersPerRun, maxLength: filtersPerRun }), {
    numRuns: 1,
    seed: 7,
  })
  const [allocations = []] = fc.sample(fc.array(allocation, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 })
  const verdicts = judged(filters, allocations)
  const accepted = verdicts.filter(({ accepted: isAccepted }) => isAccepted).length
  expect([filters.length, accepted > 400, accepted < 950]).toEqual([filtersPerRun, true, true])
  const different = filters.flatMap((text, index) => {
    const { accepted: isAccepted, selected } = verdicts[index] ?? { accepted: false, selected: null }
    const own = ours(text, allocations)
    if (isAccepted && !own.accepted && hasIgnoredPart(text)) return []
    const isCompared = selected !== null && !hasAlias(text)
    const isSame =
      own.accepted === isAccepted && (!isCompared || JSON.stringify(own.selected) === JSON.stringify(selected))
    return isSame ? [] : [{ text, opencost: isAccepted, plimsoll: own.accepted }]
  })
  expect(different).toEqual([])
})
