import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NamespaceFacts, NamespaceRhythm } from '../facts/object-facts.ts'
import { aboutObject, dollars } from '../object-finding.ts'
import { isNonProduction } from '../facts/non-production.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

const DAYS_MIN = 7
const COVERAGE_MIN = 0.8
/** Outside of work at most so much of what is used at work. */
const QUIET_SHARE = 0.25
/** 14 hours of 5 days are work: the others of 168. */
const WEEK_HOURS = 168
const OFF_HOURS = WEEK_HOURS - 70
const OFF_SHARE = OFF_HOURS / WEEK_HOURS

export const nonprodOffhoursSchedule: Rule = {
  id: 'nonprod_offhours_schedule',
  category: 'scheduling',
  title: 'Namespaces for development that nobody uses at night',
  shortName: 'Off-hours',
  description:
    'Nobody works with it at night and at weekends, and its pods are there all the same. Scaled to 0 outside of work they cost less than half.',
  trigger:
    'A namespace is called or labelled as development, test or staging, and outside of Monday to Friday 6 to 20 h UTC it uses at most a quarter of the CPU that it uses at work.',
  saving:
    'What its pods request × the share of the week outside of work (58 %). What leaves the bill depends on the nodes that go then, so none of it is called bankable.',
  guards: [
    'A week has to be known, and four fifths of its use.',
    'A namespace that is quiet at work too is left out: that is another advice.',
    'Hours are those of UTC; where people work at other hours the rhythm is not found.',
    'Without a price it is left out.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  countsAfter: { scope: 'namespace' },
  judge: (facts) =>
    facts.namespaces
      .filter(isNonProduction)
      .flatMap((namespace) => (namespace.rhythm ? judge(namespace, namespace.rhythm) : [])),
}

function judge({ name, requestUsdPerMonth: cost }: NamespaceFacts, rhythm: NamespaceRhythm): Verdict[] {
  const { days, coverage, officeCpuMillicores: office, offCpuMillicores: off } = rhythm
  const isRhythm = office >= 1 && off <= QUIET_SHARE * office
  if (cost === null || !isRhythm) return []
  const target = { kind: 'Namespace', namespace: name, name, container: '' }
  if (days < DAYS_MIN || coverage < COVERAGE_MIN) {
    const reason = days < DAYS_MIN ? 'too_little_history' : 'low_coverage'
    const detail = `${days} days and ${Math.round(100 * coverage)} % of its use are known.`
    const unlock = `It is judged when ${DAYS_MIN} days and ${100 * COVERAGE_MIN} % of its use are known.`
    return [{ kind: 'withheld', target, reason, detail, unlock }]
  }
  return [
    aboutObject({
      target,
      title: `Namespace ${name} is quiet at night and at weekends`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Scale the workloads of ${name} to 0 outside of working hours.`,
        fields: [],
      },
      estimatedUsdPerMonth: cost * OFF_SHARE,
      bankableUsdPerMonth: null,
      costUsdPerMonth: cost,
      risk: 'low',
      confidence: 'medium',
      basis: `${Math.round(Math.log2(1 + cost))}`,
      checks: [
        passed(`At least ${DAYS_MIN} days are known`, `${days} days`),
        passed(`At least ${percent(COVERAGE_MIN)} of its use are known`, percent(coverage)),
        passed('It is used at work', `${Math.round(office)} millicores`),
        passed(`Otherwise at most ${percent(QUIET_SHARE)} of that`, percent(off / office)),
      ],
      savingLines: [
        lineOf(
          `What its pods ask for, in ${OFF_HOURS} of the ${WEEK_HOURS} hours of a week`,
          OFF_SHARE,
          monthlyPrice(cost, 'month'),
        ),
      ],
      because: `At work it uses ${Math.round(office)} millicores, otherwise ${Math.round(off)}.`,
      caveats: [
        'Somebody may work at other hours, or let tests run at night.',
        'Databases in it may not like to stop.',
      ],
      facts: {
        days,
        office_cpu_millicores: Math.round(office),
        off_cpu_millicores: Math.round(off),
        requested_usd_per_month: dollars(cost),
      },
    }),
  ]
}
