import { count } from '../../count.ts'
import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NamespaceFacts, NamespaceRhythm } from '../facts/object-facts.ts'
import { aboutObject, dollars } from '../object-finding.ts'
import { isNonProduction } from '../facts/non-production.ts'
import { HOURS_PER_WEEK, WORKING_HOURS_PER_WEEK, WORKING_HOURS_TEXT } from '../facts/working-hours.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice } from '../savings/saving-lines.ts'

const DAYS_MIN = 7
const COVERAGE_MIN = 0.8
/** Outside working hours, at most this share of the usage in working hours. */
const QUIET_SHARE = 0.25
const OFF_HOURS = HOURS_PER_WEEK - WORKING_HOURS_PER_WEEK
const OFF_SHARE = OFF_HOURS / HOURS_PER_WEEK

export const nonprodOffhoursSchedule: Rule = {
  id: 'nonprod_offhours_schedule',
  category: 'scheduling',
  title: 'Scale non-production namespaces to 0 outside working hours',
  shortName: 'Off-hours',
  description: 'Scaling a non-production namespace to 0 at night and on weekends saves more than half of its cost.',
  trigger: `The name or labels of a namespace indicate development, test or staging. Outside ${WORKING_HOURS_TEXT}, its CPU usage is at most ${percent(QUIET_SHARE)} of the usage in working hours.`,
  saving: `Requests of its pods × share of the week outside working hours (${percent(OFF_SHARE)}). Not bankable: the bill drops only when nodes are removed.`,
  guards: [
    `${DAYS_MIN} days with ${percent(COVERAGE_MIN)} usage coverage are required.`,
    'Namespaces that are idle in working hours too are skipped.',
    'Hours are UTC; other working hours are not detected.',
    'Skipped without a price.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  inPlan: { role: 'other', verb: 'Schedule off-hours for', noun: ['namespace', 'namespaces'] },
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
    const detail = `Usage data covers ${count(days, 'day')} with ${percent(coverage)} usage coverage.`
    const unlock = `Wait for ${DAYS_MIN} days of data with ${percent(COVERAGE_MIN)} usage coverage.`
    return [{ kind: 'withheld', target, reason, detail, unlock }]
  }
  return [
    aboutObject({
      target,
      title: `Scale namespace ${name} to 0 at night and on weekends`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Scale the workloads of namespace ${name} to 0 outside working hours.`,
        fields: [],
      },
      action: { kind: 'scale_off_hours' },
      estimatedUsdPerMonth: cost * OFF_SHARE,
      bankableUsdPerMonth: null,
      costUsdPerMonth: cost,
      risk: 'low',
      confidence: 'medium',
      basis: `${Math.round(Math.log2(1 + cost))}`,
      checks: [
        passed(`At least ${DAYS_MIN} days of data`, `${days} days`),
        passed(`At least ${percent(COVERAGE_MIN)} usage coverage`, percent(coverage)),
        passed('CPU usage in working hours', `${Math.round(office)}m`),
        passed(
          `CPU usage outside working hours at most ${percent(QUIET_SHARE)} of working hours`,
          percent(off / office),
        ),
      ],
      savingLines: [
        lineOf(
          `Requests of its pods, in ${OFF_HOURS} of ${HOURS_PER_WEEK} hours a week`,
          OFF_SHARE,
          monthlyPrice(cost, 'month'),
        ),
      ],
      because: `CPU usage is ${Math.round(office)}m in working hours and ${Math.round(off)}m outside.`,
      caveats: [
        'People may work at other hours, or tests may run at night.',
        'Databases may not tolerate daily stops.',
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
