/** The provider or region until it is set or reported. */
export const unknownPlace = 'unknown'

/** As sent, trimmed. Prices find the provider through its aliases. */
export const placeAsSent = ({ provider, region }: { provider?: string; region?: string }) => ({
  provider: nameOf(provider),
  region: nameOf(region),
})

function nameOf(sent = ''): string {
  const name = sent.trim()
  return name === '' ? unknownPlace : name
}
