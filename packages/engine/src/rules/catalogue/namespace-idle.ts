import { count } from '../../count.ts'
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
  title: 'Namespaces in which nothing runs any more',
  shortName: 'Idle namespace',
  description:
    'No pod runs here, and still there are volumes or load balancers that are paid for. If the namespace is not needed, delete all of it at once.',
  trigger: 'A namespace has no pods, and its volumes and balancers have been unused for 7 days.',
  saving: '0: its volumes and balancers are counted one by one, where each has its own advice.',
  guards: ['Within the first 7 days it may come back.', 'A namespace without anything that costs money is left out.'],
  needs: ['pods', 'volumes', 'balancers'],
  isAboutMoney: false,
  judge: (facts) => facts.namespaces.flatMap((namespace) => judge(facts, namespace)),
}

function judge({ observedAt }: ClusterFacts, namespace: NamespaceFacts): Verdict[] {
  const { name, pods, assets, unusedSince, assetsUsdPerMonth } = namespace
  if (pods > 0 || assets === 0 || unusedSince === null) return []
  const days = Math.floor((observedAt - unusedSince) / SECONDS_PER_DAY)
  if (days < DAYS_MIN) return []
  const target = { kind: 'Namespace', namespace: name, name, container: '' }
  return [
    aboutObject({
      target,
      title: `Nothing runs in namespace ${name}, and it is still paid for`,
      change: {
        action: 'delete',
        object: target,
        summary: `Ask whether ${name} is needed. If not, take snapshots of its volumes and delete the namespace.`,
        fields: [],
      },
      estimatedUsdPerMonth: 0,
      bankableUsdPerMonth: null,
      risk: 'high',
      confidence: 'medium',
      basis: `${assets} assets`,
      checks: [
        passed('No pod runs in it', 'none'),
        passed(
          `Its volumes and balancers were unused for ${DAYS_MIN} days`,
          `${count(assets, 'one', 'of them')}, ${days} days`,
        ),
      ],
      because: `No pod has used its ${assets} volumes and balancers for ${days} days.`,
      caveats: ['What is on its volumes is gone with it.', 'Something that runs rarely may need it again.'],
      facts: { assets, assets_usd_per_month: dollars(assetsUsdPerMonth), days_unused: days },
    }),
  ]
}
