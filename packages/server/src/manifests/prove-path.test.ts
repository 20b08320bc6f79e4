import fc from 'fast-check'
import { expect, test } from 'vitest'
import { source } from '../../test/manifests/shown-workloads.ts'
import { provePath, sentinelOf } from './prove-path.ts'

const place = { namespace: 'shop', kind: 'Deployment', name: 'web', container: 'app' }
const rendering = (sentinel: string) => source('web').replace('cpu: "1"', `cpu: ${sentinel}`)

const path = fc.array(fc.stringMatching(/^[a-z][a-zA-Z0-9._-]{0,12}$/), { minLength: 1, maxLength: 4 })

test('a rendering verifies its own path, and no other path', () => {
  fc.assert(
    fc.property(path, path, (made, claimed) => {
      const isSame = JSON.stringify(made) === JSON.stringify(claimed)
      const proof = provePath(rendering(sentinelOf(made)), place, sentinelOf(claimed))
      expect(proof.kind).toBe(isSame ? 'proved' : 'nowhere')
      expect(provePath(rendering(sentinelOf(made)), place, sentinelOf(made)).kind).toBe('proved')
    }),
    { seed: 4 },
  )
})

test('the chart of the rendering is stored', () => {
  const labelled = rendering(sentinelOf(['a'])).replace(
    'metadata:\n',
    'metadata:\n  labels: {helm.sh/chart: web-1.2.3}\n',
  )
  expect(provePath(labelled, place, sentinelOf(['a']))).toEqual({ kind: 'proved', chart: 'web-1.2.3' })
})
