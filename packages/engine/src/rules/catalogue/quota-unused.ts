import { passed } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NamespaceFacts, QuotaFacts } from '../facts/object-facts.ts'
import { aboutObject } from '../object-finding.ts'
import type { Rule } from '../rule.ts'

const DAYS_MIN = 30
const SHARE_MAX = 0.25

export const quotaUnused: Rule = {
  id: 'quota_unused',
  category: 'governance',
  title: 'Quotas far above what is asked for',
  shortName: 'Unused quota',
  description:
    'A quota that nobody comes near guards against nothing: a mistake could take four times what is used now before anybody notices.',
  trigger: 'For 30 days no more than a quarter of a quota was requested, of CPU and of memory.',
  saving: '0: a quota costs nothing.',
  guards: ['30 days of the namespace have to be known.', 'A quota that limits neither CPU nor memory is left out.'],
  needs: ['quotas'],
  isAboutMoney: false,
  judge: (facts) =>
    facts.namespaces.flatMap((namespace) => namespace.quotas.flatMap((quota) => judge(namespace, quota))),
}

function judge({ name: namespace }: NamespaceFacts, quota: QuotaFacts): Verdict[] {
  const { name, cpuMillicores, memoryKib, usedCpuMillicores, usedMemoryKib, days } = quota
  const shares = [
    ...(cpuMillicores === null ? [] : [usedCpuMillicores / Math.max(1, cpuMillicores)]),
    ...(memoryKib === null ? [] : [usedMemoryKib / Math.max(1, memoryKib)]),
  ]
  if (shares.length === 0 || shares.some((share) => share > SHARE_MAX)) return []
  const target = { kind: 'ResourceQuota', namespace, name, container: '' }
  if (days < DAYS_MIN) {
    const detail = `${days} days of the namespace are known, ${DAYS_MIN} are needed.`
    return [{ kind: 'withheld', target, reason: 'too_little_history', detail, unlock: 'It is judged in some days.' }]
  }
  const percent = Math.round(100 * Math.max(...shares))
  return [
    aboutObject({
      target,
      title: `The quota of ${namespace} is far above what it asks for`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Lower the ResourceQuota ${name} of ${namespace}.`,
        fields: [],
      },
      estimatedUsdPerMonth: 0,
      bankableUsdPerMonth: null,
      risk: 'low',
      confidence: 'high',
      basis: `${cpuMillicores} ${memoryKib}`,
      checks: [
        passed(`At least ${DAYS_MIN} days are known`, `${days} days`),
        passed(`No more than ${100 * SHARE_MAX} % of it was requested`, `${percent} %`),
      ],
      because: `In ${days} days no more than ${percent} % of it was requested.`,
      caveats: ['It may be meant for a load that comes once a year.'],
      facts: { requested_percent_max: percent, days },
    }),
  ]
}
