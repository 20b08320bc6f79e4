import type { KubeletPlace } from '../kinds/nodes.ts'
import type { Condition } from '../observer.ts'
import { isUnverified } from './kubelet-clients.ts'

/** The result for all kubelets; unreadable ones have the reason. */
export type Round = readonly { readonly place: KubeletPlace; readonly error?: Error }[]

type Failure = { rounds: number; error: Error }

/** Nodes start, stop and are drained, so a short failure or a few failing nodes are not reported. */
const roundsMin = 3
const shareMin = 0.1

/** Tracks the unreadable kubelets over several rounds. */
export class KubeletTally {
  #kubeletCount = 0
  #failures = new Map<string, Failure>()
  /** Then there is no usage, so another source is selected at once. */
  #isNoneRead = false

  addSample(round: Round): void {
    this.#add(round)
    this.#isNoneRead = isNoneRead(round)
  }

  /** Usage may be readable while volumes are not, so volumes can only end this condition. */
  addVolumes(round: Round): void {
    this.#add(round)
    this.#isNoneRead &&= isNoneRead(round)
  }

  condition(): Condition | undefined {
    const failures = [...this.#failures.values()]
    if (this.#isNoneRead) return conditionOf(failures, this.#kubeletCount)
    const lasting = failures.filter(({ rounds }) => rounds >= roundsMin)
    return lasting.length > shareMin * this.#kubeletCount ? conditionOf(lasting, this.#kubeletCount) : undefined
  }

  /** Nodes that are no longer in the round are dropped. */
  #add(round: Round): void {
    const before = this.#failures
    this.#kubeletCount = round.length
    this.#failures = new Map()
    for (const { place, error } of round) {
      const key = `${place.host} ${place.port} ${place.metricsPath ?? ''}`
      if (error) this.#failures.set(key, { rounds: (before.get(key)?.rounds ?? 0) + 1, error })
    }
  }
}

export const isNoneRead = (round: Round) => round.length > 0 && round.every(({ error }) => error)

function conditionOf(failures: readonly Failure[], kubeletCount: number): Condition {
  const unverified = failures.filter(({ error }) => isUnverified(error)).length
  const message = `The agent cannot read ${failures.length} of ${kubeletCount} kubelets.`
  const common = { kind: 'kubelet', status: 'failing' as const, detail: failures[0]?.error.message ?? '' }
  if (unverified === 0) return { ...common, reason: 'NotAnswering', message }
  const why = `For ${unverified} of them, the cluster CA has not signed the certificate for their address.`
  const remedy =
    'Let the cluster sign kubelet certificates (serverTLSBootstrap), or skip verification: kubelet.verified=false in the chart, PLIMSOLL_KUBELET=unverified elsewhere.'
  return { ...common, reason: 'UnverifiedCertificate', message: `${message} ${why} ${remedy}` }
}
