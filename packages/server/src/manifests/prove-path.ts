import { createHash } from 'node:crypto'
import { guarded, ownValues, parseChartMark, shellWord } from '@plimsoll/engine'
import { parseAllDocuments } from 'yaml'

/** A request that nobody has by chance, and another one for each path: a rendering of one proves nothing about the next. */
export function sentinelOf(path: readonly string[]): string {
  const digest = createHash('sha256').update(path.join('\n')).digest().readUInt32BE()
  return `${100_000_000 + (digest % 900_000_000)}m`
}

export type Charted = {
  namespace: string
  /** As `helm` takes it; null: nobody has named it. */
  chart: string | null
  /** The label `helm.sh/chart` of the workload; null: it is not known. */
  mark: string | null
}

/** What to run so that the chart tells whether it looks there. A newer chart than the one that runs would prove nothing. */
export function proofCommand(valuesPath: string, sentinel: string, { namespace, chart, mark }: Charted): string {
  const setting = shellWord(`${valuesPath}.requests.cpu=${sentinel}`)
  const from = chart === null ? guarded('CHART') : shellWord(chart)
  const version = parseChartMark(mark ?? '')?.version
  const pinned = version === undefined ? '' : ` --version ${shellWord(version)}`
  return `helm template ${guarded('RELEASE')} ${from} -n ${shellWord(namespace)}${pinned} ${ownValues('VALUES')} --set-string ${setting}`
}

export type Proof =
  /** With the label that says which chart it was. */
  | { kind: 'proved'; chart: string | null }
  | { kind: 'unreadable' }
  /** Nothing has the sentinel: the chart does not look there. */
  | { kind: 'nowhere' }
  | { kind: 'elsewhere'; where: string }

export type Place = { namespace: string; kind: string; name: string; container: string }

/** Whether exactly the CPU request of the named container of a rendered chart is the sentinel. */
export function provePath(rendered: string, place: Place, sentinel: string): Proof {
  const documents = readDocuments(rendered)
  if (!documents) return { kind: 'unreadable' }
  const found = documents.flatMap((document) => placesWith(document, sentinel))
  const wanted = describe({ ...place, field: 'requests.cpu' })
  const other = found.find((each) => describe(each) !== wanted || !isIn(place.namespace, each)) ?? found[1]
  if (other) return { kind: 'elsewhere', where: describe(other) }
  const [only] = found
  return only ? { kind: 'proved', chart: only.chart } : { kind: 'nowhere' }
}

/** Aliases are not followed far: a chart's output has none to speak of, and a bomb has many. */
function readDocuments(text: string): unknown[] | undefined {
  try {
    const documents = [...parseAllDocuments(text, { version: '1.1' })]
    if (documents.some(({ errors }) => errors.length > 0)) return undefined
    // As JSON, which says no to what holds itself.
    return documents.map((document): unknown =>
      JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null)),
    )
  } catch {
    return undefined
  }
}

type Found = Place & { field: string; chart: string | null }

const describe = ({ kind, name, container, field }: Omit<Found, 'namespace' | 'chart'>) =>
  `${field} of ${kind} ${name} container ${container}`

/** Charts often leave the namespace to `helm install`. */
const isIn = (namespace: string, found: Found) => found.namespace === '' || found.namespace === namespace

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function placesWith(document: unknown, sentinel: string): Found[] {
  const { kind, metadata } = nodeOf(document)
  const { name, namespace, labels } = nodeOf(metadata)
  const common = { kind: textOf(kind), name: textOf(name), namespace: textOf(namespace) }
  const chart = textOf(nodeOf(labels)['helm.sh/chart']) || null
  return containersIn(document).flatMap((container) =>
    leavesOf(container.resources)
      .filter(({ value }) => value === sentinel)
      .map(({ path }) => ({ ...common, container: textOf(container.name), field: path.join('.'), chart })),
  )
}

type Leaf = { path: readonly string[]; value: unknown }

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (!isNode(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]))
}

/** Whatever stands in a list of containers, however deep. */
function containersIn(value: unknown): Node[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'containers' || key === 'initContainers') && Array.isArray(child)
      ? child.filter(isNode)
      : containersIn(child),
  )
}
