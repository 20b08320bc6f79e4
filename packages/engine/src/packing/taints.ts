export type Taint = {
  readonly key: string
  readonly value?: string
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
}

export type Toleration = {
  /** Absent, with `Exists`: every key. */
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal'
  readonly value?: string
  /** Absent: every effect. */
  readonly effect?: Taint['effect']
}

/** The first taint that rejects pods with these tolerations. `PreferNoSchedule` rejects none. */
export function findUntolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return taints?.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations?.some((toleration) => tolerates(toleration, taint)),
  )
}

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (key && key !== taint.key) return false
  if (operator === 'Exists') return true
  return key !== undefined && key !== '' && value === (taint.value ?? '')
}
