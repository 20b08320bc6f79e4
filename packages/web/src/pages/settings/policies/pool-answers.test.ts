import { expect, test } from 'vitest'
import { needsAnswer, scalingWords, withAnswer } from './pool-answers.ts'

test('an answer leaves other settings unchanged, and its removal leaves nothing behind', () => {
  const answered = withAnswer({ dial: 'safe' }, 'web', 'automatic')
  expect(answered).toEqual({ dial: 'safe', node_pool_scaling: { web: 'automatic' } })
  expect(withAnswer(answered, 'db', 'manual').node_pool_scaling).toEqual({ web: 'automatic', db: 'manual' })
  expect(withAnswer(answered, 'web', 'open')).toEqual({ dial: 'safe' })
})

test('only pools with unknown autoscaling need an answer', () => {
  const pool = { name: 'web', nodes: 2, scaling: { by: 'unknown', known_from: 'nothing' } } as const
  expect(needsAnswer(pool)).toBe(true)
  expect(scalingWords(pool.scaling)).toBe('autoscaling unknown')
  expect(scalingWords({ by: 'cluster_autoscaler', known_from: 'autoscaler_status' })).toBe(
    'scaled by Cluster Autoscaler (from the Cluster Autoscaler status)',
  )
})
