import { dayText } from '../../day-text.ts'
import { passed } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import { aboutObject, CONTROL_PLANE, dollars, showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

export const controlPlaneExtendedSupport: Rule = {
  id: 'control_plane_extended_support',
  category: 'commitment',
  title: 'Upgrade Kubernetes to end paid extended support',
  shortName: 'Extended support',
  description:
    'A version leaves standard support after about 14 months. The provider then charges a multiple of the control plane fee.',
  trigger: 'The Kubernetes version has left standard support at a provider that charges for extended support.',
  saving: 'The surcharge for extended support.',
  guards: ['Only versions with a known end of support.', 'Skipped without a listed surcharge.'],
  needs: ['kubernetes_version'],
  isAboutMoney: true,
  inPlan: { role: 'remove', verb: 'Upgrade', noun: ['control plane', 'control planes'] },
  judge: ({ controlPlane, observedAt }): Verdict[] => {
    if (controlPlane === null) return []
    const { version, supportEndsAt, surchargeUsdPerMonth: usd, fees, provider, upgrade } = controlPlane
    if (supportEndsAt === null || usd === null || observedAt < supportEndsAt) return []
    const ended = dayText(supportEndsAt)
    const steps = 'one minor version at a time'
    return [
      aboutObject({
        target: CONTROL_PLANE,
        title: upgrade
          ? `Upgrade Kubernetes from ${version} to ${upgrade.version} to stop extended support fees`
          : `Upgrade Kubernetes ${version} to stop extended support fees`,
        change: {
          action: 'reconfigure',
          object: CONTROL_PLANE,
          summary: upgrade
            ? `Upgrade the cluster from ${version} to ${upgrade.version}, ${steps}. Standard support of ${upgrade.version} lasts until ${dayText(upgrade.endsAt)}.`
            : `Upgrade the cluster from ${version} to a version in standard support, ${steps}.`,
          fields: [{ path: 'version', from: version, to: upgrade?.version ?? null }],
        },
        action: { kind: 'upgrade_control_plane', from: version, to: upgrade?.version ?? null },
        estimatedUsdPerMonth: usd,
        bankableUsdPerMonth: usd,
        risk: 'medium',
        riskReasons: ['Removed APIs can break workloads'],
        confidence: 'high',
        basis: version,
        checks: [passed('Standard support has ended', ended), passed('A surcharge is listed', `${showUsd(usd)}/month`)],
        savingLines: fees
          ? [lineOf('Fee in extended support', 1, fees.extended), lineOf('Fee in standard support', -1, fees.standard)]
          : [lineOf('Surcharge for extended support', 1, monthlyPrice(usd, 'cluster'))],
        because: `Standard support ended on ${ended}.`,
        caveats: ['Check removed APIs, add-ons and node versions first.'],
        facts: { version, provider, support_ended: isoDay(supportEndsAt), surcharge_usd_per_month: dollars(usd) },
      }),
    ]
  },
}

/** The format for programs. */
const isoDay = (second: number) => new Date(second * 1000).toISOString().slice(0, 10)
