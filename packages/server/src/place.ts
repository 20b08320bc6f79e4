import { findProvider } from '@plimsoll/pricebook'

const unknown = 'unknown'

/** Known providers get their one name; others are kept as they were sent, and priced from fallback rates. */
export function canonicalPlace({ provider, region }: { provider?: string; region?: string }) {
  const sent = provider?.trim() ?? ''
  const here = region?.trim() ?? ''
  return { provider: sent === '' ? unknown : (findProvider(sent) ?? sent), region: here === '' ? unknown : here }
}
