import { compare } from '../apportion.ts'
import type { PackingCluster, PodTerm } from './cluster.ts'
import { matchesSelector, type LabelSelector, type Labels } from './label-selector.ts'

/** The pods that a term or a spread constraint selects. */
type Target = { readonly selector: LabelSelector; readonly namespaces: readonly string[] | 'all' }

/**
 * Finds the targets that a pod belongs to. Nearly every selector requires one label to have one value, so targets are
 * indexed by that pair. Comparing every pod with every selector would be quadratic.
 */
export class Targets {
  readonly #all: Target[] = []
  readonly #ids = new Map<string, number>()
  readonly #filed = new Map<string, number[]>()
  readonly #namespaces: NonNullable<PackingCluster['namespaces']>

  constructor(namespaces: PackingCluster['namespaces'] = {}) {
    this.#namespaces = namespaces
  }

  idOf(term: Pick<PodTerm, 'selector' | 'namespaces' | 'namespaceSelector'>, own: string): number | undefined {
    const { selector } = term
    // Without a selector it selects no pod.
    if (!selector) return undefined
    const namespaces = this.#namespacesOf(term, own)
    const key = JSON.stringify([namespaces, selector])
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#all.push({ selector, namespaces }) - 1
    this.#ids.set(key, id)
    const slot = slotOf(selector)
    for (const namespace of namespaces === 'all' ? [''] : namespaces) append(this.#filed, `${namespace} ${slot}`, id)
    return id
  }

  listMatching(namespace: string, labels: Labels): number[] {
    const found: number[] = []
    this.#collect('', namespace, labels, found)
    for (const key in labels) this.#collect(pairOf(key, labels[key] ?? ''), namespace, labels, found)
    return found
  }

  #collect(slot: string, namespace: string, labels: Labels, into: number[]): void {
    for (const filed of [this.#filed.get(`${namespace} ${slot}`), this.#filed.get(` ${slot}`)]) {
      for (const id of filed ?? []) if (matchesSelector(this.#all[id]?.selector, labels)) into.push(id)
    }
  }

  #namespacesOf({ namespaces = [], namespaceSelector }: Omit<PodTerm, 'topologyKey'>, own: string): string[] | 'all' {
    if (!namespaceSelector) return namespaces.length > 0 ? [...new Set(namespaces)].sort(compare) : [own]
    const { labels = {}, expressions = [] } = namespaceSelector
    if (Object.keys(labels).length + expressions.length === 0) return 'all'
    const chosen = Object.entries(this.#namespaces).filter(([, each]) => matchesSelector(namespaceSelector, each))
    return [...new Set([...namespaces, ...chosen.map(([name]) => name)])].sort(compare)
  }
}

function slotOf({ labels = {}, expressions = [] }: LabelSelector): string {
  for (const [key, value] of Object.entries(labels)) return pairOf(key, value)
  const single = expressions.find(({ operator, values }) => operator === 'In' && values?.length === 1)
  return single ? pairOf(single.key, single.values?.[0] ?? '') : ''
}

const pairOf = (key: string, value: string) => `${key}=${value}`

export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
