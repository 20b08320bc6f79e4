import { expect, test } from 'vitest'
import { aPerson } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

test('the largest team mapping that the contract permits is accepted', async () => {
  const { bearer } = await aPerson(t, 'admin')
  const rules = Array.from({ length: 1000 }, (_each, index) => ({
    team: `team-${index}`,
    namespace: `namespace-${index}`,
    label: { key: 'team', value: `team-${index}` },
  }))
  const answer = await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: bearer, body: { rules } })
  expect(answer.statusCode).toBe(200)
  expect(answer.json<{ rules: unknown[] }>().rules).toHaveLength(1000)
})
