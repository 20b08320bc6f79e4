/** An error in a scenario with its path, such as `workloads[3].containers[0].name: is not a text`. */
export class BadScenario extends Error {
  constructor(at: string, problem: string) {
    super(`${at === '' ? 'the scenario' : at}: ${problem}`)
    this.name = 'BadScenario'
  }
}

/** Validates an unknown value, or throws with its path. */
export type Check<Known> = (value: unknown, at: string) => Known
export type Known<Checked> = Checked extends Check<infer Type> ? Type : never

type Fields = Readonly<Record<string, Check<unknown>>>
type Required<F> = { readonly [Name in keyof F]: Known<F[Name]> }
type Optional<F> = { readonly [Name in keyof F]?: Known<F[Name]> }

export const text: Check<string> = (value, at) => {
  if (typeof value !== 'string' || value === '') throw new BadScenario(at, 'is not a string')
  return value
}

/** Empty if a cluster would not report it. */
export const maybeText: Check<string> = (value, at) => (value === '' ? '' : text(value, at))

export const flag: Check<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new BadScenario(at, 'is neither true nor false')
  return value
}

export const number =
  ({ min, max }: { min: number; max: number }): Check<number> =>
  (value, at) => {
    if (typeof value === 'number' && min <= value && value <= max) return value
    throw new BadScenario(at, `${JSON.stringify(value)} is not a number from ${min} to ${max}`)
  }

export const whole =
  ({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}): Check<number> =>
  (value, at) => {
    const known = number({ min, max })(value, at)
    if (!Number.isInteger(known)) throw new BadScenario(at, `${known} is not a whole number`)
    return known
  }

export const choice =
  <const Name extends string>(...names: readonly Name[]): Check<Name> =>
  (value, at) => {
    const known = names.find((name) => name === value)
    if (known === undefined) throw new BadScenario(at, `${JSON.stringify(value)} is none of ${names.join(', ')}`)
    return known
  }

export const list =
  <Item>(item: Check<Item>): Check<readonly Item[]> =>
  (value, at) => {
    if (!Array.isArray(value)) throw new BadScenario(at, 'is not a list')
    return value.map((each, index) => item(each, `${at}[${index}]`))
  }

export const texts: Check<Readonly<Record<string, string>>> = (value, at) =>
  Object.fromEntries(Object.entries(record(value, at)).map(([name, each]) => [name, maybeText(each, `${at}.${name}`)]))

/** An object with only these fields, so that a mistyped name is an error. */
export const fields =
  <R extends Fields, O extends Fields>(required: R, optional: O): Check<Required<R> & Optional<O>> =>
  (value, at) => {
    const known = record(value, at)
    const path = (name: string) => (at === '' ? name : `${at}.${name}`)
    const wrong = Object.keys(known).find((name) => !(name in required) && !(name in optional))
    if (wrong !== undefined) throw new BadScenario(path(wrong), 'is not a field here')
    const present = Object.entries({ ...required, ...optional }).filter(
      ([name]) => name in required || known[name] !== undefined,
    )
    const checked = present.map(([name, check]) => [name, check(known[name], path(name))])
    return Object.fromEntries(checked) as Required<R> & Optional<O>
  }

/** One of several objects, selected by `kind`. */
export const kinds =
  <V extends Readonly<Record<string, Check<unknown>>>>(
    variants: V,
  ): Check<{ [Kind in keyof V]: { readonly kind: Kind } & Known<V[Kind]> }[keyof V]> =>
  (value, at) => {
    const { kind, ...rest } = record(value, at)
    const name = choice(...Object.keys(variants))(kind, `${at}.kind`)
    const known = variants[name]?.(rest, at) as object
    return { kind: name, ...known } as never
  }

function record(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new BadScenario(at, 'is not an object')
}
