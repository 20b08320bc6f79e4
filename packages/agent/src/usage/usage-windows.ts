import type { ContainerSample } from '@plimsoll/contract'
import type { NodeMinute } from '../facts.ts'
import type { PodEntry } from '../observe/pods.ts'
import { findContainer, type FindPod } from './find-container.ts'
import type { ContainerName } from './container-name.ts'
import type { UsageSink } from './usage-source.ts'

/** The numbers of one container in a flat array, because objects would need twice the memory in a large cluster. */
const at = {
  coreSeconds: 0,
  seconds: 1,
  coresMax: 2,
  kibSum: 3,
  kibCount: 4,
  kibMax: 5,
  counter: 6,
  counterAt: 7,
  rateAt: 8,
}
const stride = 9

/** The counter of a younger pod started with the pod. */
const newPodSeconds = 120

/** Usage since the last minute, by container. A deleted pod is still sent in its last minute. */
export class UsageWindows implements UsageSink {
  readonly #windows = new Map<PodEntry, number[]>()
  readonly #findPod: FindPod

  constructor(findPod: FindPod) {
    this.#findPod = findPod
  }

  cpuCounter(container: ContainerName, coreSeconds: number, milliseconds: number): void {
    const found = this.#find(container)
    if (!found) return
    const { window, first, entry } = found
    const [last = 0, lastAt = 0] = [window[first + at.counter], window[first + at.counterAt]]
    window[first + at.counter] = coreSeconds
    window[first + at.counterAt] = milliseconds
    const { boundAt } = entry.facts.pod
    if (lastAt === 0) {
      // Usage of a new pod before its first sample counts. Usage of an old pod before the agent started does not.
      const age = milliseconds / 1000 - boundAt
      if (boundAt > 0 && age > 0 && age < newPodSeconds) add(window, first, coreSeconds, age)
      return
    }
    if (milliseconds <= lastAt) return
    // A decreasing counter has restarted, so its value is the usage since then.
    add(window, first, coreSeconds < last ? coreSeconds : coreSeconds - last, (milliseconds - lastAt) / 1000)
  }

  cpuRate(container: ContainerName, cores: number, windowSeconds: number, milliseconds: number): void {
    const found = this.#find(container)
    if (!found) return
    const { window, first } = found
    // A measurement may be read twice.
    if (window[first + at.rateAt] === milliseconds) return
    window[first + at.rateAt] = milliseconds
    // The old counter would overlap with this rate, so the next counter is a new baseline.
    window[first + at.counterAt] = 0
    add(window, first, cores * windowSeconds, windowSeconds)
  }

  memory(container: ContainerName, kib: number): void {
    const found = this.#find(container)
    if (!found) return
    const { window, first } = found
    window[first + at.kibSum] = (window[first + at.kibSum] ?? 0) + kib
    window[first + at.kibCount] = (window[first + at.kibCount] ?? 0) + 1
    window[first + at.kibMax] = Math.max(window[first + at.kibMax] ?? 0, kib)
  }

  /** All given nodes with the usage of their containers. */
  take(nodeRefs: readonly number[], minute: number): NodeMinute[] {
    const byNode = new Map<number, ContainerSample[]>(nodeRefs.map((ref) => [ref, []]))
    for (const [entry, window] of this.#windows) {
      // A pod is not sent until its workload is known.
      if (entry.facts.workload === undefined && !entry.isEnded) continue
      const samples = byNode.get(entry.facts.nodeRef)
      if (samples) addSamples(samples, entry, window, minute)
      if (entry.isEnded) this.#windows.delete(entry)
      else restart(window)
    }
    return [...byNode].map(([nodeRef, samples]) => ({ nodeRef, samples }))
  }

  #find(container: ContainerName) {
    const found = findContainer(this.#findPod, container)
    if (!found) return undefined
    const { entry, index } = found
    const { containers } = entry.facts.pod.shape
    let window = this.#windows.get(entry)
    if (window?.length !== containers.length * stride) {
      window = new Array<number>(containers.length * stride).fill(0.5)
      window.fill(0)
      this.#windows.set(entry, window)
    }
    return { window, first: index * stride, entry }
  }
}

function add(window: number[], first: number, coreSeconds: number, seconds: number): void {
  window[first + at.coreSeconds] = (window[first + at.coreSeconds] ?? 0) + coreSeconds
  window[first + at.seconds] = (window[first + at.seconds] ?? 0) + seconds
  window[first + at.coresMax] = Math.max(window[first + at.coresMax] ?? 0, coreSeconds / seconds)
}

/** The counter continues. */
function restart(window: number[]): void {
  for (let first = 0; first < window.length; first += stride) window.fill(0, first, first + at.counter)
}

function addSamples(samples: ContainerSample[], entry: PodEntry, window: readonly number[], minute: number): void {
  const { pod } = entry.facts
  const heldSeconds = (minute + 1) * 60 - pod.boundAt
  for (let first = 0; first < window.length; first += stride) {
    const [seconds = 0, kibCount = 0] = [window[first + at.seconds], window[first + at.kibCount]]
    if (seconds === 0 || kibCount === 0) continue
    // A pod has a cost from its binding, even while its container starts.
    const over = heldSeconds > 0 && heldSeconds < 60 ? Math.max(seconds, heldSeconds) : seconds
    const cpuMeanTenths = Math.round(((window[first + at.coreSeconds] ?? 0) / over) * 10_000)
    const memoryMeanKib = Math.round(((window[first + at.kibSum] ?? 0) / kibCount) * (seconds / over))
    samples.push({
      podRef: entry.ref,
      container: first / stride,
      cpuMeanTenths,
      cpuAboveTenths: Math.max(0, Math.round((window[first + at.coresMax] ?? 0) * 10_000) - cpuMeanTenths),
      memoryMeanKib,
      memoryAboveKib: Math.max(0, Math.round(window[first + at.kibMax] ?? 0) - memoryMeanKib),
    })
  }
}
