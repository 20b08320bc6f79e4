import { canonicalProvider } from '../names/provider-names.ts'

/** Amazon EKS: the day on which a version leaves standard support, by the release calendar of the provider. */
const standardSupportEnds: Readonly<Record<string, string>> = {
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
}

/**
 * The second, since 1970, from which on a version costs more. Only EKS charges for old versions by itself: at GKE and AKS
 * longer support is chosen by a channel or a tier, which a cluster does not show. Undefined where it is not known.
 */
export function standardSupportEnd(provider: string, version: string): number | undefined {
  const ends = canonicalProvider(provider) === 'aws' ? standardSupportEnds[version] : undefined
  return ends === undefined ? undefined : Date.parse(`${ends}T00:00:00Z`) / 1000
}

/** The version whose standard support lasts longest, if that is beyond a second since 1970. Undefined where none is known. */
export function longestSupported(provider: string, second: number): { version: string; endsAt: number } | undefined {
  const known = Object.keys(standardSupportEnds).flatMap((version) => {
    const endsAt = standardSupportEnd(provider, version)
    return endsAt === undefined || endsAt <= second ? [] : [{ version, endsAt }]
  })
  return known.reduce<(typeof known)[number] | undefined>(
    (longest, each) => (longest && longest.endsAt >= each.endsAt ? longest : each),
    undefined,
  )
}
