import { count } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, percent, showKib } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NamespaceFacts, QuotaFacts } from '../facts/object-facts.ts'
import { aboutObject } from '../object-finding.ts'
import type { Rule } from '../rule.ts'

const DAYS_MIN = 30
const SHARE_MAX = 0.25

export const quotaUnused: Rule = {
  id: 'quota_unused',
  category: 'governance',
  title: 'Lower ResourceQuotas far above the requests',
  shortName: 'Unused quota',
  description:
    'A quota far above the actual requests does not protect the cluster. A wrong manifest could request several times as much.',
  trigger: `For ${DAYS_MIN} days, pods requested at most ${percent(SHARE_MAX)} of the CPU and memory quota.`,
  saving: 'None, because a quota costs nothing.',
  guards: [`${DAYS_MIN} days of data are required.`, 'Quotas without CPU and memory are skipped.'],
  needs: ['quotas'],
  isAboutMoney: false,
  inPlan: { role: 'other', verb: 'Lower', noun: ['ResourceQuota', 'ResourceQuotas'] },
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
    const detail = `The data covers only ${count(days, 'day')}; ${DAYS_MIN} days are required.`
    return [
      { kind: 'withheld', target, reason: 'too_little_history', detail, unlock: `Wait for ${DAYS_MIN} days of data.` },
    ]
  }
  const most = Math.max(...shares)
  const share = percent(most)
  return [
    aboutObject({
      target,
      title: `Lower ResourceQuota ${namespace}/${name}: at most ${share} was requested`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Lower ResourceQuota ${namespace}/${name}. The pods of the namespace requested at most ${requestedOf(quota)}.`,
        fields: [],
      },
      action: { kind: 'lower_quota', hard: quotaFor(quota) },
      estimatedUsdPerMonth: 0,
      bankableUsdPerMonth: null,
      risk: 'low',
      confidence: 'high',
      basis: `${cpuMillicores} ${memoryKib}`,
      checks: [
        passed(`At least ${DAYS_MIN} days of data`, `${days} days`),
        passed(`At most ${percent(SHARE_MAX)} of the quota was requested`, share),
      ],
      because: `In ${days} days at most ${share} of the quota was requested.`,
      caveats: ['The quota may be meant for a yearly peak.'],
      facts: { requested_percent_max: Math.round(100 * most), days },
    }),
  ]
}

/** CPU and memory, as far as the quota limits them. */
function requestedOf({ cpuMillicores, memoryKib, usedCpuMillicores, usedMemoryKib }: QuotaFacts): string {
  const cpu = cpuMillicores === null ? [] : [`${describeMillicores(usedCpuMillicores)} of CPU`]
  const memory = memoryKib === null ? [] : [`${showKib(usedMemoryKib)} of memory`]
  return [...cpu, ...memory].join(' and ')
}

/** Twice the highest requests, so that a rolling update fits. Never above the current quota. */
function quotaFor({ cpuMillicores, memoryKib, usedCpuMillicores, usedMemoryKib }: QuotaFacts): Record<string, string> {
  const KIB_PER_MIB = 1024
  return {
    ...(cpuMillicores === null
      ? {}
      : { 'requests.cpu': `${Math.min(cpuMillicores, Math.max(100, Math.ceil(2 * usedCpuMillicores)))}m` }),
    ...(memoryKib === null
      ? {}
      : {
          'requests.memory': `${Math.ceil(Math.min(memoryKib, Math.max(128 * KIB_PER_MIB, 2 * usedMemoryKib)) / KIB_PER_MIB)}Mi`,
        }),
  }
}
