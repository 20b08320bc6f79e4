import { count } from '../../count.ts'
import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { passed, unchecked } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { CronJobFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'

const FAILURES_MIN = 5

export const cronjobFailing: Rule = {
  id: 'cronjob_failing',
  category: 'idle',
  title: 'Fix or suspend failing CronJobs',
  shortName: 'Failing CronJob',
  description: 'Every run fails but still costs money. Fix the CronJob, or suspend it.',
  trigger: `The last ${FAILURES_MIN} or more runs of a CronJob failed.`,
  saving: 'The cost of the recent runs of the CronJob.',
  guards: ['Suspended CronJobs are skipped.', 'If the cost of the runs is unknown, the savings are 0.'],
  needs: ['controllers'],
  isAboutMoney: false,
  inPlan: { role: 'other', verb: 'Fix', noun: ['failing CronJob', 'failing CronJobs'] },
  judge: (facts) => facts.cronJobs.flatMap((job) => judge(facts, job)),
}

function judge({ observedAt }: ClusterFacts, job: CronJobFacts): Verdict[] {
  const { namespace, name, isSuspended, failuresInARow, lastSuccessAt, usdPerMonth } = job
  if (isSuspended || failuresInARow < FAILURES_MIN) return []
  const target = { kind: 'CronJob', namespace, name, container: '' }
  const days = lastSuccessAt === null ? null : Math.floor((observedAt - lastSuccessAt) / SECONDS_PER_DAY)
  return [
    {
      ...aboutObject({
        target,
        title: `Fix or suspend CronJob ${name}: every run fails`,
        change: {
          action: 'reconfigure',
          object: target,
          summary: `Fix CronJob ${name}, or suspend it until it is fixed.`,
          fields: [{ path: 'spec.suspend', from: 'false', to: 'true' }],
        },
        estimatedUsdPerMonth: usdPerMonth ?? 0,
        bankableUsdPerMonth: null,
        costUsdPerMonth: usdPerMonth,
        risk: 'low',
        confidence: 'high',
        basis: job.schedule,
        checks: [
          passed('The CronJob is not suspended', `runs at ${job.schedule}`),
          passed(`At least ${FAILURES_MIN} runs in a row failed`, count(failuresInARow, 'run')),
          usdPerMonth === null
            ? unchecked('Cost of the runs', 'unknown: no run of the last week is priced')
            : passed('Cost of the runs', `${showUsd(usdPerMonth)}/month`),
        ],
        savingLines:
          usdPerMonth === null
            ? []
            : [
                {
                  what: 'Cost of the runs of the last week, scaled to a month',
                  quantity: null,
                  price: null,
                  usdPerMonth,
                },
              ],
        because: `The last ${failuresInARow} runs failed.`,
        caveats: ['A run may do part of its work before it fails.'],
        facts: {
          failures_in_a_row: failuresInARow,
          schedule: job.schedule,
          ...(days === null ? {} : { days_since_success: days }),
          ...(usdPerMonth === null ? {} : { usd_per_month: dollars(usdPerMonth) }),
        },
      }),
      workload: { kind: 'CronJob', name, container: '' },
    },
  ]
}
