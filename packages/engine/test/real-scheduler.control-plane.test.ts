import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { randomState } from './real-scheduler/random-state.ts'
import { replayState, type Replay } from './real-scheduler/replay-state.ts'
import { startScheduling } from './real-scheduler/start-scheduling.ts'

const assets = findAssets(['kube-scheduler', 'kube-controller-manager', 'kwok'])
const STATES = 200
/** Minimum share of the truly removable nodes that the engine must find; it must never name more. */
const PROMISED_MIN = 0.95
/** Concurrent replays: each one mostly waits for controllers. */
const AT_ONCE = 16

let plane: ControlPlane

describe.skipIf(assets === undefined)('against the real kube-scheduler', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '')
    startScheduling(plane)
    await plane.call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'p10' }, value: 10 })
  }, 180_000)
  afterAll(() => plane.stop())

  test('every named node can be drained without a pending pod, and almost no other node can', async () => {
    const replays = await replayAll(fc.sample(randomState, STATES))
    report(replays)
    expect(replays.filter(({ broken }) => broken.length > 0)).toEqual([])
    expect(shareOf(replays)).toBeGreaterThanOrEqual(PROMISED_MIN)
    expect(shareOf(replays)).toBeLessThanOrEqual(1)
  }, 1_800_000)
})

async function replayAll(states: Parameters<typeof replayState>[2][]): Promise<Replay[]> {
  const replays: Replay[] = []
  const queue = states.entries()
  const worker = async () => {
    for (const [index, state] of queue) replays.push(await replayState(plane, `s${index}`, state))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return replays.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
}

const sum = (replays: readonly Replay[], of: (replay: Replay) => number) =>
  replays.reduce((total, replay) => total + of(replay), 0)

/** The share of truly removable nodes that the engine found. */
const shareOf = (replays: readonly Replay[]) =>
  sum(replays, ({ promisedCents }) => promisedCents) / sum(replays, ({ leftCents, moreCents }) => leftCents + moreCents)

function report(replays: readonly Replay[]): void {
  const [promised, left, more] = [
    sum(replays, ({ promisedCents }) => promisedCents),
    sum(replays, ({ leftCents }) => leftCents),
    sum(replays, ({ moreCents }) => moreCents),
  ]
  const usd = (cents: number) => `$${(cents / 100).toFixed(2)}/hour`
  const lines = [
    `${replays.length} states: ${usd(promised)} promised, ${usd(left)} of it left, ${usd(more)} left besides`,
    `promised / really left: ${shareOf(replays).toFixed(3)}`,
    `broken promises: ${sum(replays, ({ broken }) => broken.length)} in ${replays.filter(({ broken }) => broken.length > 0).length} states`,
    `nodes called not removable: ${sum(replays, ({ agreed }) => agreed)} stayed, ${sum(replays, ({ missed }) => missed.length)} left`,
    ...replays.flatMap(({ id, broken }) => broken.map((text) => `  ${id} broken ${text}`)),
    ...replays.flatMap(({ id, missed }) => missed.map((text) => `  ${id} missed ${text}`)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
