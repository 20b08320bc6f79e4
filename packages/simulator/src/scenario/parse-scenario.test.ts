import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aPool, aScenario, aWorkload } from '../../test/a-scenario.ts'
import { awsProduction, azureOffice, fullSize, gcpPlatform, largeScenario } from '../index.ts'
import { parseScenario } from './parse-scenario.ts'

test.each([awsProduction, gcpPlatform, azureOffice, largeScenario({ ...fullSize, nodes: 5, workloads: 30 })])(
  'the scenario $name is valid, also after JSON',
  (scenario) => {
    expect(parseScenario(JSON.parse(JSON.stringify(scenario)))).toEqual(scenario)
  },
)

test('the example of the README is valid', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n([^]*?)```/.exec(readme) ?? []
  expect(parseScenario(JSON.parse(example)).name).toBe('small')
})

const { clusterUid: _uid, ...withoutUid } = aScenario()

test.each([
  [withoutUid, 'clusterUid: is not a string'],
  [{ ...aScenario(), sead: 1 }, 'sead: is not a field here'],
  [aScenario({ churnPerHour: -1 }), 'churnPerHour: -1 is not a number from 0 to 10'],
  [aScenario({ pools: [aPool(), aPool()] }), 'pools: general occurs twice'],
  [aScenario({ pools: [aPool({ allocatable: { cpuMillicores: 5000, memoryMib: 1 } })] }), 'is more than the capacity'],
  [
    aScenario({ workloads: [aWorkload({ namespace: 'none' })] }),
    'workloads[0].namespace: namespace none does not exist',
  ],
  [aScenario({ workloads: [aWorkload({ pools: ['gpu'] })] }), 'workloads[0].pools: pool gpu does not exist'],
  [aScenario({ workloads: [aWorkload({ kind: 'Job' })] }), 'workloads[0].runs: is required for Jobs and CronJobs'],
  [aScenario({ workloads: [{ ...aWorkload(), archetype: { kind: 'odd' } }] as never }), 'workloads[0].archetype.kind'],
  [aScenario({ balancers: [{ namespace: 'shop', name: 'a', workload: 'b' }] }), 'workload shop/b does not exist'],
])('an error names its path: %#', (scenario, message) => {
  expect(() => parseScenario(scenario)).toThrow(message)
})
