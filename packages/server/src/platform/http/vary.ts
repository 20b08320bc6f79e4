/** What an answer depends on beside what it depends on already. */
export const varyWith = (vary: unknown, header: string) => (typeof vary === 'string' ? `${vary}, ${header}` : header)
