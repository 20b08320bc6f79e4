import { dayWords } from '../../day-words.ts'
import { passed } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import { aboutObject, CONTROL_PLANE, dollars, showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

export const controlPlaneExtendedSupport: Rule = {
  id: 'control_plane_extended_support',
  category: 'commitment',
  title: 'A version of Kubernetes in paid extended support',
  shortName: 'Extended support',
  description:
    'After some 14 months a version leaves ordinary support, and the provider charges several times as much for its control plane until it is upgraded.',
  trigger: 'The version of the cluster has left ordinary support at a provider that charges for more.',
  saving: 'What extended support adds to the fee of the control plane.',
  guards: ['Only versions whose end of support is known.', 'Without a listed surcharge it is left out.'],
  needs: ['kubernetes_version'],
  isAboutMoney: true,
  judge: ({ controlPlane, observedAt }): Verdict[] => {
    if (controlPlane === null) return []
    const { version, supportEndsAt, surchargeUsdPerMonth: usd, fees, provider, upgrade } = controlPlane
    if (supportEndsAt === null || usd === null || observedAt < supportEndsAt) return []
    const ended = dayWords(supportEndsAt)
    const steps = 'one minor version after the other'
    return [
      aboutObject({
        target: CONTROL_PLANE,
        title: `Kubernetes ${version} is in paid extended support`,
        change: {
          action: 'reconfigure',
          object: CONTROL_PLANE,
          summary: upgrade
            ? `Upgrade the cluster from ${version} to ${upgrade.version}, ${steps}. Ordinary support of ${upgrade.version} lasts until ${dayWords(upgrade.endsAt)}.`
            : `Upgrade the cluster from ${version} to a version in ordinary support, ${steps}.`,
          fields: [{ path: 'version', from: version, to: upgrade?.version ?? null }],
        },
        estimatedUsdPerMonth: usd,
        bankableUsdPerMonth: usd,
        risk: 'medium',
        confidence: 'high',
        basis: version,
        checks: [
          passed('Ordinary support has ended', ended),
          passed('A surcharge is listed', `${showUsd(usd)} a month`),
        ],
        savingLines: fees
          ? [lineOf('In extended support', 1, fees.extended), lineOf('In ordinary support instead', -1, fees.standard)]
          : [lineOf('The surcharge', 1, monthlyPrice(usd, 'cluster'))],
        because: `Ordinary support ended on ${ended}.`,
        caveats: ['An upgrade needs a plan: interfaces that were removed, add-ons, nodes.'],
        facts: { version, provider, support_ended: isoDay(supportEndsAt), surcharge_usd_per_month: dollars(usd) },
      }),
    ]
  },
}

/** For programs. */
const isoDay = (second: number) => new Date(second * 1000).toISOString().slice(0, 10)
