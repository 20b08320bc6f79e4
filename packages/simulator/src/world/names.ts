import { mix } from '../random.ts'

/** A UUID-like id. Numbers of one world have different ids, because `mix` is one-to-one. */
export function uidOf(seed: number, id: number): string {
  const [a, b, c, d] = [mix(seed, id), mix(seed + 1, id), mix(seed + 2, id), mix(seed + 3, id)].map(hex)
  return `${a}-${b?.slice(0, 4)}-4${b?.slice(5)}-8${c?.slice(1, 4)}-${c?.slice(4)}${d}`
}

/** The five characters that Kubernetes appends to generated names: no vowels, no digits that look like letters. */
export function suffixOf(seed: number, id: number): string {
  return letters(mix(seed, id), 5)
}

export function hashOf(seed: number, revision: number): string {
  return letters(mix(seed, revision), 6) + letters(mix(seed + 1, revision), 4)
}

export function hex(bits: number): string {
  return bits.toString(16).padStart(8, '0')
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

function letters(bits: number, count: number): string {
  let rest = bits
  let text = ''
  for (let index = 0; index < count; index += 1) {
    text += ALPHABET.charAt(rest % ALPHABET.length)
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
