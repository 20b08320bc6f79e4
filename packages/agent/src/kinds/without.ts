type Without<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** Removes undefined fields. */
export function without<T extends object>(fields: T): Without<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Without<T>
}
