import type { Db } from '../../platform/db/database.ts'
import { labelsOfRules, loadTeamMapping, teamOf, type TeamRules } from '../../settings/index.ts'

type Owner = { namespace: string | null; kind: string | null; name: string | null; labels: readonly (string | null)[] }

const TEAM_TAG = 'team'

/** The value of the column Tags of one cluster. */
export class TagWriter {
  readonly #cluster: string
  readonly #tags: readonly string[]
  readonly #rules: TeamRules | null
  /** The labels that are read, in the order of the rows. */
  readonly labelKeys: readonly string[]

  private constructor(cluster: string, tags: readonly string[], rules: TeamRules | null) {
    this.#cluster = cluster
    this.#tags = tags
    this.#rules = rules
    this.labelKeys = [...new Set([...tags.filter((tag) => tag !== TEAM_TAG), ...(rules ? labelsOfRules(rules) : [])])]
  }

  static async open(tx: Db, cluster: string, { tags }: { tags: readonly string[] }): Promise<TagWriter> {
    return new TagWriter(cluster, tags, tags.includes(TEAM_TAG) ? (await loadTeamMapping(tx)).rules : null)
  }

  of({ namespace, kind, name, labels: values }: Owner): string {
    const tags: Record<string, string> = {}
    if (namespace !== null) tags.namespace = namespace
    if (kind !== null && name !== null) tags.workload = `${kind}/${name}`
    if (this.#tags.length > 0) Object.assign(tags, this.#asked(namespace ?? '', values))
    return JSON.stringify(tags)
  }

  #asked(namespace: string, values: readonly (string | null)[]): Record<string, string> {
    const labels: Record<string, string> = {}
    for (const [index, key] of this.labelKeys.entries()) {
      const value = values[index] ?? null
      if (value !== null) labels[key] = value
    }
    const team = this.#rules ? teamOf(this.#rules, { cluster: this.#cluster, namespace, labels }) : undefined
    const known: Record<string, string> = { ...labels, ...(this.#rules ? { [TEAM_TAG]: team ?? '' } : {}) }
    return Object.fromEntries(this.#tags.flatMap((tag) => (known[tag] ? [[tag, known[tag]]] : [])))
  }
}
