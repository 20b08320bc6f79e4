/** Rules that one would look for and that are not there, with the reason. Nothing is guessed. */
export const LEFT_OUT: readonly { readonly id: string; readonly why: string }[] = [
  { id: 'arm_candidate', why: 'For which architectures an image was built is known to its registry only.' },
  { id: 'commitment_coverage_low', why: 'Which commitments there are stands on the bill, which is not read.' },
  {
    id: 'gpu_partial_use',
    why: 'GPU utilization is not reported. A rule reports GPUs that no process can have fed.',
  },
  { id: 'hpa_missing', why: 'Whether pods are stateless and soon ready is not known, and scaling others does harm.' },
  {
    id: 'hpa_target_realign',
    why: 'CPU requests of what is scaled by CPU use are left alone, so no scale point moves.',
  },
  { id: 'loadbalancer_consolidate', why: 'Which names and paths a balancer serves is not reported.' },
]
