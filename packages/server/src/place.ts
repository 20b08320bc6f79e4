/** What a provider or region reads until it is set or reported. */
export const unknownPlace = 'unknown'

/** As sent, without blanks at either end. Prices find the provider through its aliases. */
export function placeAsSent({ provider, region }: { provider?: string; region?: string }) {
  return { provider: provider?.trim() || unknownPlace, region: region?.trim() || unknownPlace }
}
