/** From the whole to its parts. The last four are costs of a cluster beside its workloads. */
export const PART_LEVELS = [
  'installation',
  'cluster',
  'team',
  'namespace',
  // What one team has in a namespace of several owners.
  'team_namespace',
  'workload',
  'idle',
  'storage',
  'load_balancer',
  'overhead',
] as const
export type PartLevel = (typeof PART_LEVELS)[number]

/** A part of the cost. A workload has two parents: its namespace and its team. A namespace of one team lies in the team. */
export type Part = { readonly key: string; readonly level: PartLevel; readonly parents: readonly string[] }

export type PartTree = {
  readonly parts: ReadonlyMap<string, Part>
  /** All parts above and all parts below each part. */
  readonly above: ReadonlyMap<string, ReadonlySet<string>>
  readonly below: ReadonlyMap<string, ReadonlySet<string>>
}

export function partTree(list: readonly Part[]): PartTree {
  const parts = new Map(list.map((part) => [part.key, part]))
  const above = new Map(list.map(({ key }) => [key, ancestorsOf(parts, key)]))
  const below = new Map(list.map(({ key }): [string, Set<string>] => [key, new Set()]))
  for (const [key, ancestors] of above) for (const ancestor of ancestors) below.get(ancestor)?.add(key)
  return { parts, above, below }
}

function ancestorsOf(parts: ReadonlyMap<string, Part>, key: string): Set<string> {
  const found = new Set<string>()
  const open = [...(parts.get(key)?.parents ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === key) throw new Error(`part '${key}' is its own ancestor`)
    if (found.has(next)) continue
    found.add(next)
    open.push(...(parts.get(next)?.parents ?? []))
  }
  return found
}

const NONE: ReadonlySet<string> = new Set()

export const partsAbove = (tree: PartTree, key: string): ReadonlySet<string> => tree.above.get(key) ?? NONE
export const partsBelow = (tree: PartTree, key: string): ReadonlySet<string> => tree.below.get(key) ?? NONE

/** One part is the other part, contains it, or lies in it. */
export const isRelated = (tree: PartTree, a: string, b: string): boolean =>
  a === b || partsAbove(tree, a).has(b) || partsBelow(tree, a).has(b)

/** The parts of these that lie in no other of these. They share no cost if two parts overlap in common parts below alone. */
export const topmost = (tree: PartTree, keys: ReadonlySet<string>): string[] =>
  [...keys].filter((key) => ![...partsAbove(tree, key)].some((above) => keys.has(above)))

/** A larger number is a lower part. The levels after `workload` are as low as a workload. */
export function depthOf(tree: PartTree, key: string): number {
  const level = tree.parts.get(key)?.level ?? 'installation'
  return Math.min(PART_LEVELS.indexOf(level), PART_LEVELS.indexOf('workload'))
}

/** The clusters that a part lies in. A team lies in none: the clusters of its parts. */
export function clustersOf(tree: PartTree, key: string): string[] {
  const own = partsAboveOf(tree, key, 'cluster')
  if (own.length > 0) return own
  return [...new Set([...partsBelow(tree, key)].flatMap((below) => partsAboveOf(tree, below, 'cluster')))]
}

export const partsAboveOf = (tree: PartTree, key: string, level: PartLevel): string[] =>
  [...partsAbove(tree, key)].filter((above) => tree.parts.get(above)?.level === level)

export const partsBelowOf = (tree: PartTree, key: string, level: PartLevel): string[] =>
  [...partsBelow(tree, key)].filter((below) => tree.parts.get(below)?.level === level)
