import { expect, test } from 'vitest'
import { scriptedObserver, START } from '../../test/scripted-observer.ts'
import { payloadLines } from './print-payload.ts'

test('the printed payload includes the agent facts', () => {
  const condition = {
    kind: 'usage',
    status: 'absent' as const,
    reason: 'none',
    message: 'The cluster has no usage source.',
  }
  const observer = { ...scriptedObserver(), conditions: () => [condition] }
  const lines = [...payloadLines(observer, START)]
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ agent: { conditions: [condition] } })
})
