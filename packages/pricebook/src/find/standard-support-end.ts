import { canonicalProvider } from '../names/provider-names.ts'
import { providerOf } from '../providers/index.ts'

const supportEndsOf = (provider: string): Readonly<Record<string, string>> =>
  providerOf(canonicalProvider(provider)).controlPlane?.standardSupportEnds ?? {}

/**
 * The second since 1970 from which a version costs more. Only EKS charges for old versions by default: GKE and AKS sell
 * longer support by a channel or a tier, which a cluster does not show. Undefined: unknown.
 */
export function standardSupportEnd(provider: string, version: string): number | undefined {
  const ends = supportEndsOf(provider)[version]
  return ends === undefined ? undefined : Date.parse(`${ends}T00:00:00Z`) / 1000
}

/** The version with the longest standard support, if it ends after a second since 1970. Undefined: unknown. */
export function longestSupported(provider: string, second: number): { version: string; endsAt: number } | undefined {
  const known = Object.keys(supportEndsOf(provider)).flatMap((version) => {
    const endsAt = standardSupportEnd(provider, version)
    return endsAt === undefined || endsAt <= second ? [] : [{ version, endsAt }]
  })
  return known.reduce<(typeof known)[number] | undefined>(
    (longest, each) => (longest && longest.endsAt >= each.endsAt ? longest : each),
    undefined,
  )
}
