/** Twice the largest valid body: a role limited to a thousand clusters and namespaces. */
export const bodyBytesMax = 256 * 1024
export const jsonDepthMax = 32

/** Keys of all objects of a body. The largest permitted body, a team mapping of 1,000 rules, has 5,001. */
export const jsonKeysMax = 6000

/** How long a session can be renewed after its sign-in. */
export const sessionDaysMax = 30
