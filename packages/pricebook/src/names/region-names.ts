import { awsRegionByName } from './aws-region-names.ts'

/**
 * The name the price tables use for a region, a zone or a display name of it: 'us-east-1a' → 'us-east-1', 'West Europe' →
 * 'westeurope', 'europe-west1-b' → 'europe-west1'. A local or wavelength zone keeps its own name because it has its own
 * prices. A name we do not know stays as it is, in lower case. `provider` is canonical.
 */
export function canonicalRegion(provider: string, name: string): string {
  const lower = name.trim().toLowerCase()
  if (provider === 'aws') return awsRegion(lower)
  if (provider === 'azure') return azureRegion(lower)
  if (provider === 'gcp') return lower.replace(/^([a-z]+-[a-z]+\d+)-(?:ai\d+)?[a-z]$/, '$1')
  return lower
}

/** 'us-east-1-atl-1' is a part of 'us-east-1'; a whole region is its own parent. */
export function parentRegion(provider: string, region: string): string {
  if (provider !== 'aws') return region
  return /^([a-z]{2}(?:-[a-z]+)+-\d+)-/.exec(region)?.[1] ?? region
}

/** The two wavelength zones that opened first are listed under the name of their group. */
const firstWavelengthZones = new Map([
  ['us-east-1-wl1-bos1', 'us-east-1-wl1'],
  ['us-west-2-wl1-sfo1', 'us-west-2-wl1'],
])

function awsRegion(lower: string): string {
  const code = awsRegionByName.get(lower.replace(/^eu \(/, 'europe (').replace(/\s+/g, ' ')) ?? lower
  const wavelength = code.replace(/^(.+-wl\d+)-([a-z]{3})-wlz-(\d+)$/, '$1-$2$3')
  const known = firstWavelengthZones.get(wavelength)
  if (known) return known
  return wavelength.replace(/^([a-z]{2}(?:-[a-z]+)+-\d+(?:-[a-z]{3}-\d+)?)[a-z]$/, '$1')
}

/** AKS names zones 'westeurope-1'; the portal writes '(Europe) West Europe'. */
function azureRegion(lower: string): string {
  const region = lower.replace(/^([a-z]+\d?)-\d$/, '$1')
  return region.replace(/^\([^)]*\)/, '').replace(/[^a-z0-9]+/g, '')
}
