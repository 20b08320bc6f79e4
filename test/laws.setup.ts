import fc from 'fast-check'

/**
 * Property tests use the same inputs on every run, so that a passing suite passes again. `LAWS_SEED=random` uses
 * others, `LAWS_SEED=<number>` repeats a failed run: fast-check prints its seed.
 */
const { LAWS_SEED = '20260301' } = process.env

fc.configureGlobal({ seed: LAWS_SEED === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(LAWS_SEED) })
