import { providerOf } from '../providers/index.ts'

/**
 * The region name in the price tables for a region, a zone or a display name: 'us-east-1a' → 'us-east-1', 'West Europe'
 * → 'westeurope', 'europe-west1-b' → 'europe-west1'. An unknown name stays in lower case. `provider` is canonical.
 */
export function canonicalRegion(provider: string, name: string): string {
  const lower = name.trim().toLowerCase()
  return providerOf(provider).regions?.canonical(lower) ?? lower
}

/** 'us-east-1-atl-1' is a part of 'us-east-1'; a whole region is its own parent. */
export const parentRegion = (provider: string, region: string): string =>
  providerOf(provider).regions?.parent?.(region) ?? region
