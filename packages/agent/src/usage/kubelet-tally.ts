import type { KubeletPlace } from '../kinds/nodes.ts'
import type { Condition } from '../observe/observer.ts'
import { isUnverified } from './kubelet-clients.ts'

/** How asking all kubelets went: those that could not be read are there with the reason. */
export type Round = readonly { readonly place: KubeletPlace; readonly error?: Error }[]

type Failure = { rounds: number; error: Error }

/** Nodes start, stop and are drained: one that is silent for a moment, or a few of many, are no fault of the cluster. */
const roundsMin = 3
const shareMin = 0.1

/** Which kubelets cannot be read, over the rounds. */
export class KubeletTally {
  #asked = 0
  #failures = new Map<string, Failure>()
  /** Then no usage is seen, and another source is taken at once: there may be no further round to wait for. */
  #isNoneRead = false

  addSample(round: Round): void {
    this.#add(round)
    this.#isNoneRead = isNoneRead(round)
  }

  /** Usage may be readable where volumes are not: this can end that none is read, and not begin it. */
  addVolumes(round: Round): void {
    this.#add(round)
    this.#isNoneRead &&= isNoneRead(round)
  }

  condition(): Condition | undefined {
    const failures = [...this.#failures.values()]
    if (this.#isNoneRead) return conditionOf(failures, this.#asked)
    const lasting = failures.filter(({ rounds }) => rounds >= roundsMin)
    return lasting.length > shareMin * this.#asked ? conditionOf(lasting, this.#asked) : undefined
  }

  /** Nodes that are no longer asked are forgotten. */
  #add(round: Round): void {
    const before = this.#failures
    this.#asked = round.length
    this.#failures = new Map()
    for (const { place, error } of round) {
      const key = `${place.host} ${place.port} ${place.metricsPath ?? ''}`
      if (error) this.#failures.set(key, { rounds: (before.get(key)?.rounds ?? 0) + 1, error })
    }
  }
}

export const isNoneRead = (round: Round) => round.length > 0 && round.every(({ error }) => error)

function conditionOf(failures: readonly Failure[], asked: number): Condition {
  const unverified = failures.filter(({ error }) => isUnverified(error)).length
  const message = `The agent cannot read ${failures.length} of ${asked} kubelets.`
  const common = { kind: 'kubelet', status: 'failing' as const, detail: failures[0]?.error.message ?? '' }
  if (unverified === 0) return { ...common, reason: 'NotAnswering', message }
  const why = `${unverified} have a certificate that the cluster CA has not signed for their address.`
  const remedy =
    'Let the cluster sign kubelet certificates (serverTLSBootstrap), or skip verification: kubelet.verified=false in the chart, PLIMSOLL_KUBELET=unverified elsewhere.'
  return { ...common, reason: 'UnverifiedCertificate', message: `${message} ${why} ${remedy}` }
}
