import { readFileSync } from 'node:fs'
import type { Batch } from '@plimsoll/contract'
import { decodeBatch } from '@plimsoll/agent'
import { expect, test } from 'vitest'
import { START } from '../test/a-scenario.ts'
import { fieldsOf } from '../test/fields-of.ts'
import { SimulatedAgent } from './batches/simulated-agent.ts'
import { awsProduction } from './scenarios/aws-production.ts'
import { azureOffice } from './scenarios/azure-office.ts'
import { gcpPlatform } from './scenarios/gcp-platform.ts'
import { openWorld } from './world/world.ts'

const recorded = JSON.parse(
  readFileSync(new URL('../test/fixtures/real-snapshot.json', import.meta.url), 'utf8'),
) as Batch

/** Fields that the simulator omits on purpose. */
const leftOut: Record<string, string> = {
  // The DaemonSet controller pins each pod to its node, so each pod would have its own shape. A large world would have
  // 100,000 shapes.
  'pods.shape.scheduling.node_affinity.fields': 'one shape for each pod of a DaemonSet',
}

const simulated = () => {
  const agents = [awsProduction, azureOffice, gcpPlatform].map(
    (scenario) => new SimulatedAgent(openWorld(scenario, START)),
  )
  const batches = agents.flatMap((agent) => Array.from({ length: 16 }, () => agent.minute()).flat())
  return new Set(batches.flatMap((encoded) => [...fieldsOf(decodeBatch(encoded).batch)]))
}

test('the simulator sends every field that a real cluster sends', () => {
  const known = simulated()
  const missing = [...fieldsOf(recorded)].filter((field) => !known.has(field))
  expect(missing.filter((field) => !Object.keys(leftOut).some((path) => field.startsWith(path))).sort()).toEqual([])
})
