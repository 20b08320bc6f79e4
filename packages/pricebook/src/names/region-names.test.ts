import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listCsv } from '../../test/a-book.ts'
import { awsRegionByName } from '../providers/aws-region-names.ts'
import { canonicalRegion, parentRegion } from './region-names.ts'

test.each([
  ['aws', 'us-east-1', 'us-east-1'],
  ['aws', 'us-east-1a', 'us-east-1'],
  ['aws', 'US-GOV-WEST-1B', 'us-gov-west-1'],
  ['aws', 'US East (N. Virginia)', 'us-east-1'],
  ['aws', 'EU (Frankfurt)', 'eu-central-1'],
  ['aws', 'us-east-1-atl-1a', 'us-east-1-atl-1'],
  ['aws', 'us-east-1-wl1-atl-wlz-1', 'us-east-1-wl1-atl1'],
  ['aws', 'us-east-1-wl1-bos-wlz-1', 'us-east-1-wl1'],
  ['gcp', 'europe-west1-b', 'europe-west1'],
  ['gcp', 'us-south1-ai1b', 'us-south1'],
  ['gcp', 'europe-west1', 'europe-west1'],
  ['azure', 'West Europe', 'westeurope'],
  ['azure', '(Europe) West Europe', 'westeurope'],
  ['azure', 'westeurope-1', 'westeurope'],
  ['azure', 'East US 2', 'eastus2'],
  ['azure', 'eastus2-3', 'eastus2'],
  ['hetzner', ' FSN1 ', 'fsn1'],
])("%s '%s' is %s", (provider, name, region) => {
  expect(canonicalRegion(provider, name)).toBe(region)
})

test('a local zone is a part of its region', () => {
  expect(parentRegion('aws', 'us-east-1-atl-1')).toBe('us-east-1')
  expect(parentRegion('aws', 'us-gov-west-1')).toBe('us-gov-west-1')
  expect(parentRegion('azure', 'westeurope')).toBe('westeurope')
})

test('every region of the tables is canonical, and local zones belong to the region of the table', () => {
  for (const file of ['nodes_aws.csv', 'nodes_gcp.csv', 'nodes_azure.csv', 'nodes_other.csv']) {
    for (const region of new Set(listCsv(file).map((row) => `${row.provider}|${row.region}`))) {
      const [provider = '', name = ''] = region.split('|')
      expect(canonicalRegion(provider, name)).toBe(name)
    }
  }
  for (const { zone_group: zone = '', region } of listCsv('nodes_aws_local_zones.csv')) {
    expect(canonicalRegion('aws', zone)).toBe(zone)
    expect(parentRegion('aws', zone)).toBe(region)
  }
})

test('every AWS region of the tables has a display name', () => {
  const named = new Set(awsRegionByName.values())
  const listed = new Set(listCsv('nodes_aws.csv').map((row) => row.region ?? ''))
  expect([...listed].filter((region) => !named.has(region))).toEqual([])
})

test('a canonical region stays unchanged', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-z]{2}-[a-z]{4}-\d(-[a-z]{3}-\d)?[a-z]?$/),
  )
  fc.assert(
    fc.property(fc.constantFrom('aws', 'gcp', 'azure', 'oci', ''), names, (provider, name) => {
      const region = canonicalRegion(provider, name)
      expect(canonicalRegion(provider, region)).toBe(region)
    }),
  )
})
