import { startClock, stopClock } from './run-clock.ts'
import { endPod, finishPod, setReady } from './pods.ts'
import { memoryLimitKib, secondsToLimit } from './usage.ts'
import type { SimPod, State } from './state.ts'

/** Schedules the next event of a running pod: its completion, an OOM kill or a crash. */
export function beginWork(state: State, pod: SimPod): void {
  const { archetype, runs } = pod.workload.spec
  if (runs) {
    const seconds = Math.max(1, Math.round(runs.seconds * (0.9 + 0.2 * state.random.next())))
    const phase = state.random.next() < (runs.failShare ?? 0) ? 'failed' : 'succeeded'
    state.agenda.add(state.second + seconds, () => finishRun(state, pod, phase))
  }
  if (archetype.kind === 'leak') expectKill(state, pod)
  if (archetype.kind === 'crash-loop') expectCrash(state, pod, archetype.secondsToCrash ?? 20)
}

function finishRun(state: State, pod: SimPod, phase: 'succeeded' | 'failed'): void {
  finishPod(state, pod, phase)
  if (pod.workload.spec.kind === 'CronJob' && phase === 'succeeded') pod.workload.lastSuccessAt = state.second
  const keepSeconds = pod.workload.spec.runs?.keepSeconds ?? 300
  state.agenda.add(state.second + keepSeconds, () => endPod(state, pod))
}

/** The kernel OOM-kills a container at its limit, and the kubelet restarts it two seconds later. */
function expectKill(state: State, pod: SimPod): void {
  const { mainClock, workload } = pod
  if (memoryLimitKib(pod, workload.main) === Infinity) return
  const since = mainClock.since
  const at = Math.max(state.second + 1, since + secondsToLimit(pod))
  state.agenda.add(at, () => {
    // A restart in between has its own scheduled event.
    if (pod.gone || mainClock.since !== since) return
    stopMain(state, pod, { oomKills: 1 })
    state.agenda.add(state.second + 2, () => restartMain(state, pod, () => expectKill(state, pod)))
  })
}

const BACK_OFF_SECONDS_MAX = 300

/** A back-off of 10 s, 20 s, 40 s … up to five minutes. */
function expectCrash(state: State, pod: SimPod, secondsToCrash: number): void {
  const lived = Math.max(1, Math.round(secondsToCrash * (0.7 + 0.6 * state.random.next())))
  state.agenda.add(state.second + lived, () => {
    if (pod.gone) return
    stopMain(state, pod, { oomKills: 0 })
    const wait = Math.min(BACK_OFF_SECONDS_MAX, 10 * 2 ** Math.min(10, pod.restarts))
    state.agenda.add(state.second + wait, () => restartMain(state, pod, () => expectCrash(state, pod, secondsToCrash)))
  })
}

function stopMain(state: State, pod: SimPod, { oomKills }: { oomKills: number }): void {
  stopClock(pod.mainClock, state.second)
  setReady(state, pod, false)
  if (oomKills === 0) return
  const { main: container } = pod.workload
  state.facts.events.push({ podRef: pod.id, container, at: state.second, oomKills, restarts: 0 })
}

function restartMain(state: State, pod: SimPod, next: () => void): void {
  if (pod.gone || pod.phase !== 'running') return
  pod.restarts += 1
  startClock(pod.mainClock, state.second)
  setReady(state, pod, true)
  const { main: container } = pod.workload
  state.facts.events.push({ podRef: pod.id, container, at: state.second, oomKills: 0, restarts: 1 })
  next()
}
