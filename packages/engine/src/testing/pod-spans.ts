import { compare } from '../apportion.ts'
import { cutAtChanges, type TimeSpan } from '../time.ts'
import { RESOURCES } from '../units.ts'
import { mergePods } from './merge-pods.ts'
import { paidSpan } from './paid-span.ts'
import { podRequest } from '../allocation/pod-request.ts'
import type { PodSpan } from '../allocation/pod-span.ts'
import type { PodFacts, UsageSample } from './pod-facts.ts'

/**
 * Cuts the paid life of pods at each change of their spec and each edge of a sample. Facts are a set: repetition and
 * order do not matter. Time without a sample has unknown usage.
 */
export function podSpans(pods: readonly PodFacts[], now: number): PodSpan[] {
  return mergePods(pods).flatMap((pod) => {
    const paid = paidSpan(pod.life, now)
    return paid.kind === 'paid' ? cutLife(pod, paid) : []
  })
}

function cutLife({ uid, versions, samples }: PodFacts, paid: TimeSpan): PodSpan[] {
  const known = withoutOverlaps(samples)
  const sorted = [...versions].sort((a, b) => a.from - b.from)
  const changes = [...known, ...sorted.map(({ from }) => ({ from, to: from }))]

  return cutAtChanges(paid, changes).flatMap((span) => {
    // The first known spec also applies before: the pod was bound before its first report.
    const version = sorted.findLast(({ from }) => from <= span.from) ?? sorted[0]
    if (version === undefined) return []
    const seen = known.filter(({ from, to }) => from <= span.from && span.to <= to)
    const usage = new Map(seen.map((sample) => [sample.container, sample.usage]))
    return [{ ...span, uid, request: podRequest(version.shape), usage }]
  })
}

/** Each second of a container counts once: of overlapping samples the earliest counts. */
function withoutOverlaps(samples: readonly UsageSample[]): UsageSample[] {
  const knownUntil = new Map<string, number>()
  return [...samples].sort(bySpan).filter(({ container, from, to }) => {
    if (from < (knownUntil.get(container) ?? -Infinity) || from >= to) return false
    knownUntil.set(container, to)
    return true
  })
}

/** Contradicting samples of the same time have a fixed order, the larger first. */
function bySpan(a: UsageSample, b: UsageSample): number {
  return a.from - b.from || a.to - b.to || compare(a.container, b.container) || weight(b) - weight(a)
}

function weight({ usage }: UsageSample): number {
  return RESOURCES.reduce((sum, resource) => sum + (usage[resource] === 'unknown' ? 0 : usage[resource]), 0)
}
