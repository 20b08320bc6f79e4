/** From the whole to its parts. The last four are costs of a cluster beside its workloads. */
export const PART_LEVELS = [
  'installation',
  'cluster',
  'team',
  'namespace',
  'workload',
  'idle',
  'storage',
  'load_balancer',
  'overhead',
] as const
export type PartLevel = (typeof PART_LEVELS)[number]

/** A part of the cost. A workload has two parents: its namespace and its team. */
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

/** A larger number is a lower part. The levels after `workload` are as low as a workload. */
export function depthOf(tree: PartTree, key: string): number {
  const level = tree.parts.get(key)?.level ?? 'installation'
  return Math.min(PART_LEVELS.indexOf(level), PART_LEVELS.indexOf('workload'))
}

export const partsAboveOf = (tree: PartTree, key: string, level: PartLevel): string[] =>
  [...partsAbove(tree, key)].filter((above) => tree.parts.get(above)?.level === level)

export const partsBelowOf = (tree: PartTree, key: string, level: PartLevel): string[] =>
  [...partsBelow(tree, key)].filter((below) => tree.parts.get(below)?.level === level)
