import type { TeamRule } from '@plimsoll/contract'

export type TeamRules = readonly TeamRule[]

/** The first matching rule decides. Evaluated on read, so that a new rule applies to all history. */
export function teamOf(
  rules: TeamRules,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): string | undefined {
  return rules.find((rule) => matches(rule, namespace, labels))?.team
}

function matches(rule: TeamRule, namespace: string, labels: Readonly<Record<string, string>>): boolean {
  if (rule.namespace !== undefined && !fits(rule.namespace, namespace)) return false
  return rule.label === undefined || fits(rule.label.value ?? '*', labels[rule.label.key])
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

export const labelsOfRules = (rules: TeamRules): string[] => [
  ...new Set(rules.flatMap(({ label }) => (label ? [label.key] : []))),
]
