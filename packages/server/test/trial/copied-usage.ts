import { openWorld, type Scenario } from '@plimsoll/simulator'
import type { UsedSeries } from '../end-to-end/prometheus.ts'

const stepMinutes = 10
const bytesPerKib = 1024
const tenthsPerCore = 10_000

type Sample = { cores: number; memoryBytes: number }
export type RunningPod = { name: string; namespace: string; workload: string; containers: readonly string[] }

/** The usage of the demo under the names of real pods: each pod repeats the usage of a simulated pod of its workload. */
export function copyUsage(
  scenario: Scenario,
  pods: readonly RunningPod[],
  time: { from: number; to: number },
): UsedSeries[] {
  const samples = sampleWorld(scenario, time)
  const seen = new Map<string, number>()
  return pods.flatMap(({ name: pod, namespace, workload, containers }) => {
    const key = `${namespace}/${workload}`
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return containers.flatMap((container): UsedSeries[] => {
      const steps = samples.get(`${key}/${container}`)
      if (!steps) return []
      const at = (second: number): Sample => {
        const step = steps[Math.floor((second - time.from) / (stepMinutes * 60))] ?? steps.at(-1) ?? []
        return step[ordinal % Math.max(1, step.length)] ?? { cores: 0, memoryBytes: 0 }
      }
      return [
        {
          ...{ namespace, pod, container, ...time },
          cores: (second) => at(second).cores,
          memoryBytes: (second) => at(second).memoryBytes,
        },
      ]
    })
  })
}

/** By namespace, workload and container: the samples of its pods in each step. */
function sampleWorld(scenario: Scenario, { from, to }: { from: number; to: number }): Map<string, Sample[][]> {
  const world = openWorld(scenario, from)
  const all = new Map<string, Sample[][]>()
  for (let step = 0; world.second < to; step += 1) {
    const { usage } = world.advance({ measured: true })
    const podOf = new Map(world.living().pods.map((pod) => [pod.ref, pod]))
    for (const { podRef, container, cpuMeanTenths, memoryMeanKib } of usage.flatMap(({ samples }) => samples)) {
      const pod = podOf.get(podRef)
      const name = pod?.shape.containers[container]?.name
      if (!pod || name === undefined) continue
      const key = `${pod.namespace}/${pod.workloadName}/${name}`
      const steps = all.get(key) ?? []
      all.set(key, steps)
      const own = (steps[step] ??= [])
      own.push({ cores: cpuMeanTenths / tenthsPerCore, memoryBytes: memoryMeanKib * bytesPerKib })
    }
    for (let minute = 1; minute < stepMinutes; minute += 1) world.advance({ measured: false })
  }
  return all
}
