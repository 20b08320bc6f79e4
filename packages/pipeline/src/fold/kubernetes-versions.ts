import { intersect, secondsOf, type TimeSpan } from '@plimsoll/engine'

type VersionSpan = TimeSpan & {
  /** `1.34`; empty where nobody has said. */
  version: string
}

/**
 * Which version of Kubernetes ran when, from what batches say in any order. A control plane is only ever upgraded, so the
 * first moment at which a version was seen is all that is needed. There are few that look like one.
 */
export class KubernetesVersions {
  readonly #since = new Map<string, number>()

  /** From when on something else is known than before; undefined: it was known. */
  note(reported: string, at: number): number | undefined {
    const version = minorOf(reported)
    const known = this.#since.get(version)
    if (version === '' || (known !== undefined && known <= at)) return undefined
    const first = Math.min(...this.#since.values())
    this.#since.set(version, at)
    // What is known first also held before.
    return at < first ? 0 : at
  }

  at(second: number): string {
    const known = this.list()
    return (known.findLast(({ from }) => from <= second) ?? known[0])?.version ?? ''
  }

  /** The window in pieces of one version each. */
  spansIn(window: TimeSpan): VersionSpan[] {
    const known = this.list()
    if (known.length === 0) return [{ version: '', ...window }]
    const spans = known.map(({ version, from }, index) => {
      const life = { from: index === 0 ? window.from : from, to: known[index + 1]?.from ?? window.to }
      return { version, ...intersect(life, window) }
    })
    return spans.filter((span) => secondsOf(span) > 0)
  }

  /** In order; of two that were told of one moment the lower one comes first. */
  list(): { version: string; from: number }[] {
    return [...this.#since]
      .map(([version, from]) => ({ version, from }))
      .sort((a, b) => a.from - b.from || numberOf(a.version) - numberOf(b.version))
  }
}

/** `v1.34.2-eks-d6fa34b` is a 1.34: nobody charges for more than that. */
const minorOf = (version: string): string => /^v?(1\.\d{1,2})(?!\d)/.exec(version.trim())?.[1] ?? ''

const numberOf = (version: string) => Number(version.slice(2))
