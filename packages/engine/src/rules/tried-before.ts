import { dayText } from '../day-text.ts'
import { judged } from './checks.ts'
import type { Level } from './finding.ts'
import type { RuleFinding } from './evaluate.ts'

/** The same advice about the same thing was followed once, and it did not last. Seconds since 1970. */
export type Trial = {
  readonly appliedAt: number
  /** When the old value was seen again; null: it is still as it was advised. */
  readonly takenBackAt: number | null
  /** When containers were seen to fail more often than before; null: they were not. */
  readonly failedAt: number | null
}

/** Tells the finding with what became of it before: nobody should have to find out a second time. */
export function addTrial(finding: RuleFinding, trial: Trial): RuleFinding {
  const { evidence } = finding
  const story = storyOf(trial)
  return {
    ...finding,
    title: `${finding.title} (${inShort(trial)})`,
    risk: trial.failedAt === null ? riskier[finding.risk] : 'high',
    confidence: 'low',
    checks: [...finding.checks, judged('Not applied and reverted before', story, false)],
    evidence: {
      ...evidence,
      caveats: [`${story} Ask who reverted it before you apply it again.`, ...evidence.caveats],
    },
  }
}

const riskier: Readonly<Record<Level, Level>> = { low: 'medium', medium: 'high', high: 'high' }

function storyOf({ appliedAt, takenBackAt, failedAt }: Trial): string {
  const failed = failedAt === null ? '' : ` Containers failed more often since ${dayText(failedAt)}.`
  return takenBackAt === null
    ? `This was applied on ${dayText(appliedAt)}.${failed}`
    : `This was applied on ${dayText(appliedAt)} and reverted on ${dayText(takenBackAt)}.${failed}`
}

const inShort = ({ appliedAt, takenBackAt }: Trial) =>
  takenBackAt === null
    ? `applied on ${dayText(appliedAt)}, failed more often since`
    : `applied on ${dayText(appliedAt)}, reverted on ${dayText(takenBackAt)}`
