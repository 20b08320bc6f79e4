const percentages = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export const percent = (fraction: number | null) =>
  fraction === null ? '–' : `${percentages.format(fraction * 100)} %`

/** For what has changed, with a sign as wide as a digit. */
export const signedPercent = (fraction: number) => `${fraction < 0 ? '−' : '+'}${percent(Math.abs(fraction))}`

export const count = (value: number, one: string, many = `${one}s`) =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`

/** 620m below a core, 2.5 above. */
export function cores(millicores: number): string {
  return millicores < 1000 ? `${Math.round(millicores)}m` : String(Number((millicores / 1000).toFixed(2)))
}

const steps = ['B', 'Ki', 'Mi', 'Gi', 'Ti'] as const

/** As Kubernetes writes it, in at most three digits. */
export function bytes(value: number): string {
  let step = 0
  let rest = value
  while (rest >= 1000 && step < steps.length - 1) {
    rest /= 1024
    step += 1
  }
  return `${Number(rest.toPrecision(3))}${steps[step]}`
}
