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
  title: 'CronJobs that fail again and again',
  shortName: 'Failing CronJob',
  description:
    'Each run is paid for and comes to nothing. Repair it, or suspend it until somebody does; nobody seems to miss what it should do.',
  trigger: 'At least five runs of a CronJob in a row have failed.',
  saving: 'What its runs have cost lately.',
  guards: ['One that is suspended is left out.', 'Without knowing what its runs cost, it is said with a saving of 0.'],
  needs: ['controllers'],
  isAboutMoney: false,
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
        title: `CronJob ${name} fails every time`,
        change: {
          action: 'reconfigure',
          object: target,
          summary: `Repair ${name}, or suspend it until somebody does.`,
          fields: [{ path: 'spec.suspend', from: 'false', to: 'true' }],
        },
        estimatedUsdPerMonth: usdPerMonth ?? 0,
        bankableUsdPerMonth: null,
        costUsdPerMonth: usdPerMonth,
        risk: 'low',
        confidence: 'high',
        basis: job.schedule,
        checks: [
          passed('It is not suspended', `runs at ${job.schedule}`),
          passed(`At least ${FAILURES_MIN} runs in a row have failed`, count(failuresInARow, 'run')),
          usdPerMonth === null
            ? unchecked('What its runs cost is known', 'no run of the last week has a price')
            : passed('What its runs cost is known', `${showUsd(usdPerMonth)} a month`),
        ],
        savingLines:
          usdPerMonth === null
            ? []
            : [
                {
                  what: 'What its runs of the last week have cost, for a month',
                  quantity: null,
                  price: null,
                  usdPerMonth,
                },
              ],
        because: `Its last ${failuresInARow} runs have failed.`,
        caveats: ['Part of its work may be done before it fails.'],
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
