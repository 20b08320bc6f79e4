import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { passed } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NamespaceFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars } from '../object-finding.ts'
import type { Rule } from '../rule.ts'

const DAYS_MIN = 7

export const namespaceIdle: Rule = {
  id: 'namespace_idle',
  category: 'idle',
  title: 'Delete idle namespaces',
  shortName: 'Idle namespace',
  description:
    'The namespace runs no pods but has volumes or load balancers that are billed. If it is not needed, delete it as a whole.',
  trigger: `A namespace has no pods, and its volumes and load balancers were unused for ${DAYS_MIN} days.`,
  saving: 'None here: each volume and load balancer has its own recommendation.',
  guards: [
    `Not reported in the first ${DAYS_MIN} days of a namespace.`,
    'Namespaces without billed resources are skipped.',
  ],
  needs: ['pods', 'volumes', 'balancers'],
  isAboutMoney: false,
  inPlan: { role: 'other', verb: 'Remove', noun: ['idle namespace', 'idle namespaces'] },
  judge: (facts) => facts.namespaces.flatMap((namespace) => judge(facts, namespace)),
}

function judge({ observedAt }: ClusterFacts, namespace: NamespaceFacts): Verdict[] {
  const { name, pods, cloudResources, unusedSince, cloudResourcesUsdPerMonth } = namespace
  if (pods > 0 || cloudResources === 0 || unusedSince === null) return []
  const days = Math.floor((observedAt - unusedSince) / SECONDS_PER_DAY)
  if (days < DAYS_MIN) return []
  const target = { kind: 'Namespace', namespace: name, name, container: '' }
  return [
    aboutObject({
      target,
      title: `Delete namespace ${name}: no pods, but billed volumes or load balancers`,
      change: {
        action: 'delete',
        object: target,
        summary: `Ask the owner whether namespace ${name} is still needed. If not, take snapshots of its volumes and delete it.`,
        fields: [],
      },
      action: { kind: 'delete_namespace' },
      estimatedUsdPerMonth: 0,
      bankableUsdPerMonth: null,
      risk: 'high',
      riskReasons: ['Data on the volumes of the namespace is lost'],
      confidence: 'medium',
      basis: `${cloudResources} assets`,
      checks: [
        passed('No pods', 'none'),
        passed(`Volumes and load balancers unused for ${DAYS_MIN} days`, `${cloudResources}, for ${days} days`),
      ],
      because: `No pod used its volumes and load balancers (${cloudResources}) for ${days} days.`,
      caveats: ['Data on its volumes is lost.', 'A rare job may need the namespace again.'],
      facts: { assets: cloudResources, assets_usd_per_month: dollars(cloudResourcesUsdPerMonth), days_unused: days },
    }),
  ]
}
