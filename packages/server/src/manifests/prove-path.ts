import { parseAllDocuments } from 'yaml'

/** A request that nobody has by chance. */
export const sentinel = '31337m'

export type Proof =
  | { kind: 'proved' }
  | { kind: 'unreadable' }
  /** Nothing has the sentinel: the chart does not look there. */
  | { kind: 'nowhere' }
  | { kind: 'elsewhere'; where: string }

export type Place = { kind: string; name: string; container: string }

/** Whether exactly the named container of a rendered chart has the sentinel. */
export function provePath(rendered: string, place: Place): Proof {
  const documents = readDocuments(rendered)
  if (!documents) return { kind: 'unreadable' }
  const found = documents.flatMap(placesWithSentinel)
  const other = found.find((each) => describe(each) !== describe(place))
  if (other) return { kind: 'elsewhere', where: describe(other) }
  return found.length === 0 ? { kind: 'nowhere' } : { kind: 'proved' }
}

/** Aliases are not followed far: a chart's output has none to speak of, and a bomb has many. */
function readDocuments(text: string): unknown[] | undefined {
  try {
    const documents = [...parseAllDocuments(text, { version: '1.1' })]
    if (documents.some(({ errors }) => errors.length > 0)) return undefined
    return documents.map((document): unknown => document.toJS({ maxAliasCount: 100 }))
  } catch {
    return undefined
  }
}

const describe = ({ kind, name, container }: Place) => `${kind} ${name} container ${container}`

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

function placesWithSentinel(document: unknown): Place[] {
  if (!isNode(document)) return []
  const metadata = isNode(document.metadata) ? document.metadata : {}
  return containersIn(document)
    .filter((container) => JSON.stringify(container.resources ?? null).includes(sentinel))
    .map(({ name }) => ({ kind: text(document.kind), name: text(metadata.name), container: text(name) }))
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Whatever stands in a list of containers, however deep. */
function containersIn(value: unknown): Node[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'containers' || key === 'initContainers') && Array.isArray(child)
      ? child.filter(isNode)
      : containersIn(child),
  )
}
