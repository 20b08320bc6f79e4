import fc from 'fast-check'

/**
 * Laws are tried with the same inputs on every run, so that a suite which passed passes again. `LAWS_SEED=random` tries
 * others, `LAWS_SEED=<number>` repeats a run that failed: fast-check prints its seed.
 */
const { LAWS_SEED = '20260301' } = process.env

fc.configureGlobal({ seed: LAWS_SEED === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(LAWS_SEED) })
