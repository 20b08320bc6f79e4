import type { TeamRule } from '@plimsoll/contract'

/** A mapping rule as the fields of a form. Empty: the field does not matter. */
export type RuleRow = {
  isFromLabel: boolean
  /** The name of the team, or the key of the label that has it. */
  team: string
  cluster: string
  namespace: string
  labelKey: string
  labelValue: string
}

export const emptyRule: RuleRow = {
  isFromLabel: false,
  team: '',
  cluster: '',
  namespace: '',
  labelKey: '',
  labelValue: '',
}

export const rowsOfRules = (rules: readonly TeamRule[]): RuleRow[] =>
  rules.map(({ team, team_from_label: key, cluster = '', namespace = '', label }) => ({
    isFromLabel: key !== undefined,
    team: key ?? team ?? '',
    cluster,
    namespace,
    labelKey: label?.key ?? '',
    labelValue: label?.value ?? '',
  }))

export const rulesOfRows = (rows: readonly RuleRow[]): TeamRule[] =>
  rows.map((row) => {
    const [team, cluster, namespace] = [row.team.trim(), row.cluster.trim(), row.namespace.trim()]
    const [key, value] = [row.labelKey.trim(), row.labelValue.trim()]
    return {
      ...(row.isFromLabel ? { team_from_label: team } : { team }),
      ...(cluster === '' ? {} : { cluster }),
      ...(namespace === '' ? {} : { namespace }),
      ...(key === '' ? {} : { label: { key, ...(value === '' ? {} : { value }) } }),
    }
  })
