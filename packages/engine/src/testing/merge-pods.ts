import type { PodLife } from './paid-span.ts'
import type { PodFacts } from './pod-facts.ts'

/**
 * Pod facts as a set: one entry per uid, from any number of reports. Only the uid identifies a pod. If reports disagree
 * about a time, the earliest counts.
 */
export function mergePods(pods: readonly PodFacts[]): PodFacts[] {
  const merged = new Map<string, PodFacts>()
  for (const pod of pods) {
    const before = merged.get(pod.uid)
    merged.set(pod.uid, before ? mergeTwo(before, pod) : pod)
  }
  return [...merged.values()]
}

function mergeTwo(a: PodFacts, b: PodFacts): PodFacts {
  return {
    uid: a.uid,
    life: mergeLives(a.life, b.life),
    versions: [...a.versions, ...b.versions],
    samples: [...a.samples, ...b.samples],
  }
}

function mergeLives(a: PodLife, b: PodLife): PodLife {
  return {
    ...earliest('boundAt', a, b),
    ...earliest('succeededAt', a, b),
    ...earliest('failedAt', a, b),
    ...earliest('deletedAt', a, b),
  }
}

function earliest(moment: keyof PodLife, a: PodLife, b: PodLife): PodLife {
  const times = [a[moment], b[moment]].filter((time) => time !== undefined)
  return times.length === 0 ? {} : { [moment]: Math.min(...times) }
}
