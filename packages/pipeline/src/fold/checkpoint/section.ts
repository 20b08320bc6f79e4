import type { FoldState } from '../fold-state.ts'

/**
 * How one part of the state is saved and loaded. Parts are plain JSON values, and two copies of a part fit in memory.
 */
export type Section = {
  readonly name: string
  readonly save: (state: FoldState, numbers: Numbers) => Iterable<unknown>
  readonly load: (state: FoldState, part: unknown, numbers: Numbers) => void
}

/** Types the parts of a section: a section loads what it saved. */
export function section<Part>(
  name: string,
  save: (state: FoldState, numbers: Numbers) => Iterable<Part>,
  load: (state: FoldState, part: Part, numbers: Numbers) => void,
): Section {
  return { name, save, load: (state, part, numbers) => load(state, part as Part, numbers) }
}

/** The objects of the checkpoint, numbered from 1; zero: none. */
export class Numbers {
  readonly #numbers = new Map<string, number>()
  readonly #uids = new Map<number, string>()

  of(uid: string): number {
    const number = this.#numbers.get(uid) ?? this.#numbers.size + 1
    this.#numbers.set(uid, number)
    return number
  }

  find(uid: string): number | undefined {
    return this.#numbers.get(uid)
  }

  note(number: number, uid: string): void {
    this.#uids.set(number, uid)
  }

  uid(number: number): string {
    return this.#uids.get(number) ?? ''
  }
}
