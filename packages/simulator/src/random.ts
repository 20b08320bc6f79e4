/**
 * Reproducible random numbers. `Random` is a sequence for events in order. `noise` is a function of its arguments,
 * independent of the call order, for measurements.
 */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 ≤ value < 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    return scramble(this.#state) / 2 ** 32
  }

  /** from ≤ integer ≤ to. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** An integer with the mean `expected`: 2.3 is mostly 2 and sometimes 3. */
  around(expected: number): number {
    const whole = Math.floor(expected)
    return whole + (this.next() < expected - whole ? 1 : 0)
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.next() * items.length)]
  }
}

/** 0 ≤ value < 1, as a function of two or three integers. */
export function noise(seed: number, a: number, b = 0): number {
  return mix(seed, a, b) / 2 ** 32
}

/** A 32-bit hash of all three numbers, one-to-one in each of them. */
export function mix(seed: number, a: number, b = 0): number {
  return scramble(scramble(scramble(seed >>> 0) ^ (a | 0)) ^ (b | 0))
}

/** A stable number for a text. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return scramble(hash >>> 0)
}

/** Finaliser of splitmix32. */
function scramble(value: number): number {
  let bits = (value + 0x9e3779b9) >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
