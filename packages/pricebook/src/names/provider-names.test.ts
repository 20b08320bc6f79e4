import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalProvider } from './provider-names.ts'

test.each([
  ['aws', 'aws'],
  ['EKS', 'aws'],
  ['Amazon Web Services', 'aws'],
  ['aws:///us-east-1a/i-0abc', 'aws'],
  ['gce://project/europe-west1-b/node', 'gcp'],
  ['Google Cloud', 'gcp'],
  ['Microsoft Azure', 'azure'],
  ['AKS', 'azure'],
  ['azure:///subscriptions/1/resourceGroups/x', 'azure'],
  ['oracle', 'oci'],
  ['DOKS', 'digitalocean'],
  ['hcloud://123', 'hetzner'],
  ['on-prem', 'onprem'],
  ['Some Cloud', 'some cloud'],
  ['', ''],
  ['__proto__', '__proto__'],
])("'%s' is %s", (name, provider) => {
  expect(canonicalProvider(name)).toBe(provider)
})

test('a canonical name stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(canonicalProvider(canonicalProvider(name))).toBe(canonicalProvider(name))
    }),
  )
})
