import { dayText } from '../day-text.ts'
import { judged } from './checks.ts'
import type { RuleFinding } from './evaluate.ts'
import type { Level } from '../vocabulary/recommendations.ts'

/** The same recommendation was applied before and did not last. Seconds since 1970. */
export type Trial = {
  readonly appliedAt: number
  /** When the old value was observed again; null: the recommended value is still set. */
  readonly takenBackAt: number | null
  /** When containers failed more often than before; null: they did not. */
  readonly failedAt: number | null
}

/** Adds the result of the earlier attempt to the finding. */
export function addTrial(finding: RuleFinding, trial: Trial): RuleFinding {
  const { evidence } = finding
  const story = storyOf(trial)
  return {
    ...finding,
    title: `${finding.title} (${inShort(trial)})`,
    risk: trial.failedAt === null ? riskier[finding.risk] : 'high',
    riskReasons: [...(finding.riskReasons ?? []), `Tried before: ${inShort(trial)}`],
    confidence: 'low',
    checks: [...finding.checks, judged('No earlier attempt was reverted', story, false)],
    evidence: {
      ...evidence,
      caveats: [`${story} Ask why the change was reverted before you apply it again.`, ...evidence.caveats],
    },
  }
}

const riskier: Readonly<Record<Level, Level>> = { low: 'medium', medium: 'high', high: 'high' }

function storyOf({ appliedAt, takenBackAt, failedAt }: Trial): string {
  const failed = failedAt === null ? '' : ` Containers have failed more often since ${dayText(failedAt)}.`
  return takenBackAt === null
    ? `This was applied on ${dayText(appliedAt)}.${failed}`
    : `This was applied on ${dayText(appliedAt)} and reverted on ${dayText(takenBackAt)}.${failed}`
}

const inShort = ({ appliedAt, takenBackAt }: Trial) =>
  takenBackAt === null
    ? `applied on ${dayText(appliedAt)}, failed more often since`
    : `applied on ${dayText(appliedAt)}, reverted on ${dayText(takenBackAt)}`
