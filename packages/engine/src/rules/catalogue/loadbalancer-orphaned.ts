import type { BalancerFacts, ClusterFacts } from '../facts/cluster-facts.ts'
import { passed, unchecked } from '../checks.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

const HOURS_UNREADY_MIN = 24

export const loadbalancerOrphaned: Rule = {
  id: 'loadbalancer_orphaned',
  category: 'network',
  title: 'Delete load balancers without endpoints',
  shortName: 'No endpoints',
  description:
    'A Service of type LoadBalancer without a ready endpoint serves no traffic. The load balancer is billed by the hour.',
  trigger: `No endpoint of the Service was ready for ${HOURS_UNREADY_MIN} hours.`,
  saving: 'The price of the load balancer.',
  guards: [
    'DNS records or external clients may use the address; deleting the Service releases it.',
    'Withheld without a price.',
  ],
  needs: ['balancers', 'balancer_prices'],
  isAboutMoney: true,
  inPlan: {
    role: 'remove',
    verb: 'Remove',
    noun: ['load balancer without endpoints', 'load balancers without endpoints'],
  },
  judge: (facts) =>
    facts.balancers
      .filter((balancer) => hoursUnready(facts, balancer) >= HOURS_UNREADY_MIN)
      .map((balancer) => judge(facts, balancer)),
}

const hoursUnready = ({ observedAt }: ClusterFacts, { unreadySince }: BalancerFacts) =>
  unreadySince === null ? 0 : (observedAt - unreadySince) / 3600

function judge(facts: ClusterFacts, balancer: BalancerFacts): Verdict {
  const { namespace, name, usdPerMonth } = balancer
  const target = { kind: 'Service', namespace, name, container: '' }
  if (usdPerMonth === null) {
    return {
      kind: 'withheld',
      target,
      reason: 'no_price',
      detail: `No price is known for a load balancer of type '${balancer.type}'.`,
      unlock: 'Set a price override, or update the price list.',
    }
  }
  const hours = Math.floor(hoursUnready(facts, balancer))
  return {
    kind: 'finding',
    target,
    title: `Delete load balancer ${namespace}/${name}: it has no endpoints`,
    podName: '',
    workload: null,
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'delete',
      object: target,
      summary: `Delete Service ${namespace}/${name}, or change its type to ClusterIP, if its address is not needed.`,
      fields: [{ path: 'spec.type', from: 'LoadBalancer', to: null }],
    },
    action: { kind: 'delete_service' },
    estimatedUsdPerMonth: usdPerMonth,
    bankableUsdPerMonth: usdPerMonth,
    costUsdPerMonth: usdPerMonth,
    risk: 'medium',
    riskReasons: ['The Service may be a standby, and its address is lost'],
    confidence: 'high',
    isUrgent: false,
    basis: `${balancer.type} ${balancer.unreadySince ?? ''}`,
    checks: [
      passed(`No ready endpoint for at least ${HOURS_UNREADY_MIN} hours`, `${hours} hours`),
      unchecked('Use of the address elsewhere', 'unknown; check DNS records and external clients'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      savingLines: [
        lineOf(
          balancer.type === '' ? 'Load balancer' : `Load balancer (${balancer.type})`,
          1,
          balancer.price ?? monthlyPrice(usdPerMonth, 'load balancer'),
        ),
      ],
      confidenceReasons: [`No endpoint was ready for ${hours} hours.`],
      caveats: [
        'The Service may be a standby, or its application may not be deployed yet.',
        'Deleting the Service releases its IP address.',
      ],
      facts: { hours_without_endpoints: hours, type: balancer.type },
    },
  }
}
