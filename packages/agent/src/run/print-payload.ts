import type { Observer } from '../observer.ts'
import { deltaOf, EpochWriter } from '../shape/epoch-writer.ts'
import { agentFacts } from './agent-facts.ts'

/** Everything that would leave the cluster now, uncompressed. */
export function* payloadLines(observer: Observer, second: number): Generator<string> {
  const writer = new EpochWriter({ agent: () => agentFacts(observer), epoch: 'print-payload' })
  for (const batch of writer.snapshot(observer.living(second), second)) yield JSON.stringify(batch)
  const minute = observer.takeMinute(Math.floor(second / 60))
  for (const batch of writer.delta(deltaOf(minute), second)) yield JSON.stringify(batch)
}
