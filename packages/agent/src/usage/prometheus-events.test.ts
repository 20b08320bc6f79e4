import { expect, test } from 'vitest'
import type { Series } from './prometheus-client.ts'
import { EventSteps } from './prometheus-events.ts'

const name = { namespace: 'shop', pod: 'web-1', container: 'app' }
/** As two write them who scrape the same: one honours the labels, the other keeps its own. */
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

test('of two who tell of one container, together all is known, whoever comes first', () => {
  // Restarted at 300 and at 900, both times for want of memory: each has seen one of them.
  const restarts = [series(own, [600, 3], [900, 4]), series(exported, [0, 2], [300, 3], [600, 3], [900, 3])]
  const killed = [series(own, [900, 1]), series(exported, [300, 1], [600, 1])]
  const expected = [{ ...name, restarts: 2, oomKills: 2 }]
  expect(eventsOf(restarts, killed)).toEqual(expected)
  expect(eventsOf(restarts.toReversed(), killed.toReversed())).toEqual(expected)
})

test('what both tell is counted once', () => {
  const restarted = (labels: Series['labels']) => series(labels, [0, 1], [300, 2], [600, 2])
  const killed = (labels: Series['labels']) => series(labels, [300, 1], [600, 1])
  const expected = [{ ...name, restarts: 1, oomKills: 1 }]
  expect(eventsOf([restarted(own), restarted(exported)], [killed(own), killed(exported)])).toEqual(expected)
})
