import { findProvider } from '@plimsoll/pricebook'

/** What a provider or region reads until it is set or reported. */
export const unknownPlace = 'unknown'

/** Known providers get their one name; others are kept as they were sent, and priced from fallback rates. */
export function canonicalPlace({ provider, region }: { provider?: string; region?: string }) {
  const sent = provider?.trim() ?? ''
  const here = region?.trim() ?? ''
  return {
    provider: sent === '' ? unknownPlace : (findProvider(sent) ?? sent),
    region: here === '' ? unknownPlace : here,
  }
}
