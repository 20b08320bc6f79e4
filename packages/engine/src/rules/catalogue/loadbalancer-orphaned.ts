import type { BalancerFacts, ClusterFacts } from '../facts/cluster-facts.ts'
import { passed, unchecked } from '../checks.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

const HOURS_UNREADY_MIN = 24

export const loadbalancerOrphaned: Rule = {
  id: 'loadbalancer_orphaned',
  category: 'network',
  title: 'Load balancers with nothing behind them',
  shortName: 'Idle load balancer',
  description:
    'A service of type LoadBalancer without a ready endpoint answers nobody, and the balancer in front of it is paid for by the hour.',
  trigger: 'No endpoint of the service has been ready for 24 hours.',
  saving: 'What the balancer costs.',
  guards: [
    'Its address may be written down elsewhere (DNS, partners): deleting the service gives it up.',
    'Without a price it is withheld.',
  ],
  needs: ['balancers', 'balancer_prices'],
  isAboutMoney: true,
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
      detail: `No price is known for a balancer of the type '${balancer.type}'.`,
      unlock: 'A newer price book may know it.',
    }
  }
  const hours = Math.floor(hoursUnready(facts, balancer))
  return {
    kind: 'finding',
    target,
    title: `Load balancer ${namespace}/${name} has no endpoint`,
    podName: '',
    workload: null,
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'delete',
      object: target,
      summary: `Delete the service ${namespace}/${name}, or make it a ClusterIP, if nobody needs its address.`,
      fields: [{ path: 'spec.type', from: 'LoadBalancer', to: null }],
    },
    estimatedUsdPerMonth: usdPerMonth,
    bankableUsdPerMonth: usdPerMonth,
    costUsdPerMonth: usdPerMonth,
    risk: 'medium',
    confidence: 'high',
    isUrgent: false,
    basis: `${balancer.type} ${balancer.unreadySince ?? ''}`,
    checks: [
      passed(`No endpoint was ready for ${HOURS_UNREADY_MIN} hours`, `none for ${hours} hours`),
      unchecked('Nobody else knows its address', 'DNS and partners are not looked at'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      savingLines: [
        lineOf(
          balancer.type === '' ? 'The balancer' : `The balancer, ${balancer.type}`,
          1,
          balancer.price ?? monthlyPrice(usdPerMonth, 'balancer'),
        ),
      ],
      confidenceReasons: [`No endpoint has been ready for ${hours} hours.`],
      caveats: ['It may be the standby of a pair, or wait for a release.', 'Its address is given up with it.'],
      facts: { hours_without_endpoints: hours, type: balancer.type },
    },
  }
}
