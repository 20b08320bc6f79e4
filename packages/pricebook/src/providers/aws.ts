import { awsRegionByName } from './aws-region-names.ts'
import type { Provider } from './provider.ts'

const computeType = 'eks.amazonaws.com/compute-type'

export const aws: Provider = {
  id: 'aws',
  aliases: ['eks', 'ec2', 'amazon', 'amazonaws', 'amazonwebservices', 'amazoneks'],
  regions: {
    canonical: regionOf,
    parent: (region) => /^([a-z]{2}(?:-[a-z]+)+-\d+)-/.exec(region)?.[1] ?? region,
    notInUsd: (region) =>
      region.startsWith('cn-')
        ? 'AWS China has a separate price list in CNY. Set a price override for this class.'
        : undefined,
  },
  machines: { family: (type) => type.split('.')[0] ?? type },
  disks: {
    byStorageClass: { 'ebs-gp2': 'gp2', 'ebs-gp3': 'gp3', 'gp2-csi': 'gp2', 'gp3-csi': 'gp3', magnetic: 'standard' },
    drivers: ['ebs.csi.aws.com', 'efs.csi.aws.com'],
    replacedBy: { gp2: 'gp3' },
  },
  balancers: {
    nlb: 'nlb',
    alb: 'alb',
    elb: 'classic-elb',
    clb: 'classic-elb',
    classic: 'classic-elb',
    'classic-elb': 'classic-elb',
  },
  controlPlane: {
    service: 'eks',
    tier: 'standard-support',
    // From the release calendar of Amazon EKS.
    standardSupportEnds: {
      '1.23': '2023-10-11',
      '1.24': '2024-01-31',
      '1.25': '2024-05-01',
      '1.26': '2024-06-11',
      '1.27': '2024-07-24',
      '1.28': '2024-11-26',
      '1.29': '2025-03-23',
      '1.30': '2025-07-23',
      '1.31': '2025-11-26',
      '1.32': '2026-03-23',
      '1.33': '2026-07-29',
      '1.34': '2026-12-02',
      '1.35': '2027-03-27',
    },
  },
  serverless: ({ name, labels }) =>
    labels[computeType] === 'fargate' || name.startsWith('fargate-') ? 'eks-fargate' : undefined,
  isAutoMode: ({ labels }) => labels[computeType] === 'auto',
}

/** The first two wavelength zones are listed under the name of their group. */
const firstWavelengthZones = new Map([
  ['us-east-1-wl1-bos1', 'us-east-1-wl1'],
  ['us-west-2-wl1-sfo1', 'us-west-2-wl1'],
])

/** A local or wavelength zone stays unchanged, because it has its own prices. */
function regionOf(name: string): string {
  const code = awsRegionByName.get(name.replace(/^eu \(/, 'europe (').replace(/\s+/g, ' ')) ?? name
  const wavelength = code.replace(/^(.+-wl\d+)-([a-z]{3})-wlz-(\d+)$/, '$1-$2$3')
  const known = firstWavelengthZones.get(wavelength)
  if (known) return known
  return wavelength.replace(/^([a-z]{2}(?:-[a-z]+)+-\d+(?:-[a-z]{3}-\d+)?)[a-z]$/, '$1')
}
