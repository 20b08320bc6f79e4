import { createHash } from 'node:crypto'
import { readYaml, type YamlRead } from './parsing/read-yaml.ts'

/** An unlikely request value, different for each path: a rendering of one path proves nothing about another. */
export function sentinelOf(path: readonly string[]): string {
  const digest = createHash('sha256').update(path.join('\n')).digest().readUInt32BE()
  return `${100_000_000 + (digest % 900_000_000)}m`
}

export type Proof =
  /** With the chart label. */
  | { kind: 'proved'; chart: string | null }
  /** The text is not the output of a chart, or beyond a limit. */
  | Extract<YamlRead, { kind: 'refused' }>
  /** The sentinel does not occur: the chart does not use the path. */
  | { kind: 'nowhere' }
  | { kind: 'elsewhere'; where: string }

export type Place = { namespace: string; kind: string; name: string; container: string }

/** Whether exactly the CPU request of the named container of a rendered chart is the sentinel. */
export function provePath(rendered: string, place: Place, sentinel: string): Proof {
  const read = readYaml(rendered)
  if (read.kind === 'refused') return read
  const found = read.documents.flatMap((document) => placesWith(document, sentinel))
  const wanted = describe({ ...place, field: 'requests.cpu' })
  const other = found.find((each) => describe(each) !== wanted || !isIn(place.namespace, each)) ?? found[1]
  if (other) return { kind: 'elsewhere', where: describe(other) }
  const [only] = found
  return only ? { kind: 'proved', chart: only.chart } : { kind: 'nowhere' }
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

/** All entries of container lists, at any depth. */
function containersIn(value: unknown): Node[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'containers' || key === 'initContainers') && Array.isArray(child)
      ? child.filter(isNode)
      : containersIn(child),
  )
}
