import { expect, test } from 'vitest'
import type { Series } from './prometheus-client.ts'
import { EventSteps } from './prometheus-events.ts'

const name = { namespace: 'shop', pod: 'web-1', container: 'app' }
/** The same target scraped twice: one job honours the labels, the other renames them. */
const own = { ...name }
const exported = {
  ...{ namespace: 'monitoring', pod: 'kube-state-metrics-0', container: 'kube-state-metrics' },
  ...{ exported_namespace: 'shop', exported_pod: 'web-1', exported_container: 'app' },
}
const series = (labels: Series['labels'], ...values: [number, number][]): Series => ({ labels, values })

function eventsOf(restarts: Series[], killed: Series[]) {
  const steps = new EventSteps()
  restarts.forEach((each) => steps.addRestarts(each))
  killed.forEach((each) => steps.addKilled(each))
  return steps.events()
}

test('two series of one container are merged, in either order', () => {
  // OOM-killed and restarted at 300 and at 900; each series has seen one of them.
  const restarts = [series(own, [600, 3], [900, 4]), series(exported, [0, 2], [300, 3], [600, 3], [900, 3])]
  const killed = [series(own, [900, 1]), series(exported, [300, 1], [600, 1])]
  const expected = [{ ...name, restarts: 2, oomKills: 2 }]
  expect(eventsOf(restarts, killed)).toEqual(expected)
  expect(eventsOf(restarts.toReversed(), killed.toReversed())).toEqual(expected)
})

test('an event in both series is counted once', () => {
  const restarted = (labels: Series['labels']) => series(labels, [0, 1], [300, 2], [600, 2])
  const killed = (labels: Series['labels']) => series(labels, [300, 1], [600, 1])
  const expected = [{ ...name, restarts: 1, oomKills: 1 }]
  expect(eventsOf([restarted(own), restarted(exported)], [killed(own), killed(exported)])).toEqual(expected)
})
