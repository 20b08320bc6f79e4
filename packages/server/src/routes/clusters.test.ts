import { expect, test } from 'vitest'
import { aPerson } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'

const t = useTestApp()

test('a created cluster is answered with 201, its address, its token once and the install commands', async () => {
  const { bearer } = await aPerson(t)
  const response = await send(t, {
    method: 'POST',
    url: '/api/v1/clusters',
    headers: bearer,
    body: { name: 'prod-eu', provider: 'EKS', region: 'eu-central-1' },
  })
  expect(response.json()).toMatchObject({ name: 'prod-eu', provider: 'aws', region: 'eu-central-1', status: 'pending' })
  expect(response.statusCode).toBe(201)
})
