/** Adds a header to Vary. */
export const varyWith = (vary: unknown, header: string) => (typeof vary === 'string' ? `${vary}, ${header}` : header)
