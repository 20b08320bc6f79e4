import type { TeamRule } from '@plimsoll/contract'

export type TeamRules = readonly TeamRule[]

type Labels = Readonly<Record<string, string>>

/** What decides the team of a workload. `labels` are those of the workload and of its namespace. */
export type OwnedWorkload = { readonly cluster: string; readonly namespace: string; readonly labels: Labels }

/** The value of this label is the team of a workload. It comes before all rules. */
const TEAM_NAME_LABEL = 'plimsoll.dev/team'

/**
 * The only place that decides the team of a workload. Undefined: unowned. Evaluated on read, so that a new rule applies
 * to the whole history.
 */
export function teamOf(rules: TeamRules, workload: OwnedWorkload): string | undefined {
  const named = workload.labels[TEAM_NAME_LABEL]
  if (named) return named
  for (const rule of rules) {
    const team = matches(rule, workload) ? namedBy(rule, workload.labels) : undefined
    if (team) return team
  }
  return undefined
}

const namedBy = ({ team, team_from_label: key }: TeamRule, labels: Labels) => (key === undefined ? team : labels[key])

function matches({ cluster, namespace, label }: TeamRule, workload: OwnedWorkload): boolean {
  if (cluster !== undefined && !fits(cluster, workload.cluster)) return false
  if (namespace !== undefined && !fits(namespace, workload.namespace)) return false
  return label === undefined || fits(label.value ?? '*', workload.labels[label.key])
}

/** `*` stands for any number of characters; no other character is special. */
function fits(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let rest = text.slice(first.length, text.length - last.length)
  return others.every((part) => {
    const at = rest.indexOf(part)
    rest = rest.slice(at + part.length)
    return at >= 0
  })
}

/** The labels that `teamOf` needs. */
export const labelsOfRules = (rules: TeamRules): string[] => [
  ...new Set([
    TEAM_NAME_LABEL,
    ...rules.flatMap(({ label, team_from_label: key }) => [label?.key, key].filter(isText)),
  ]),
]

const isText = (text: string | undefined): text is string => text !== undefined
