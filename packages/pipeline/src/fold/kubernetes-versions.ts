import { intersect, secondsOf, type TimeSpan } from '@plimsoll/engine'

type VersionSpan = TimeSpan & {
  /** `1.34`; empty where unknown. */
  version: string
}

/**
 * Which Kubernetes version ran when, from batches in any order. A control plane is only ever upgraded, so the first
 * observation of each version is enough. The number of valid versions is small.
 */
export class KubernetesVersions {
  readonly #since = new Map<string, number>()

  /** The second from which the versions differ from before; undefined: no change. */
  note(reported: string, at: number): number | undefined {
    const version = minorOf(reported)
    const known = this.#since.get(version)
    if (version === '' || (known !== undefined && known <= at)) return undefined
    const first = Math.min(...this.#since.values())
    this.#since.set(version, at)
    // The first known version also applies before.
    return at < first ? 0 : at
  }

  at(second: number): string {
    const known = this.list()
    return (known.findLast(({ from }) => from <= second) ?? known[0])?.version ?? ''
  }

  /** The window cut into pieces of one version each. */
  spansIn(window: TimeSpan): VersionSpan[] {
    const known = this.list()
    if (known.length === 0) return [{ version: '', ...window }]
    const spans = known.map(({ version, from }, index) => {
      const life = { from: index === 0 ? window.from : from, to: known[index + 1]?.from ?? window.to }
      return { version, ...intersect(life, window) }
    })
    return spans.filter((span) => secondsOf(span) > 0)
  }

  /** In order of time; of two versions at one time the lower one comes first. */
  list(): { version: string; from: number }[] {
    return [...this.#since]
      .map(([version, from]) => ({ version, from }))
      .sort((a, b) => a.from - b.from || numberOf(a.version) - numberOf(b.version))
  }
}

/** `v1.34.2-eks-d6fa34b` is 1.34: no price depends on the patch version. */
const minorOf = (version: string): string => /^v?(1\.\d{1,2})(?!\d)/.exec(version.trim())?.[1] ?? ''

const numberOf = (version: string) => Number(version.slice(2))
