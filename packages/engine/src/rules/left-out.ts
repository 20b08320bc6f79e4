/** Rules that users may expect but that do not exist, with the reason. */
export const LEFT_OUT: readonly { readonly id: string; readonly why: string }[] = [
  { id: 'arm_candidate', why: 'Only the registry knows the architectures of an image.' },
  { id: 'commitment_coverage_low', why: 'Commitments appear only on the cloud bill, which Plimsoll does not read.' },
  {
    id: 'gpu_partial_use',
    why: 'GPU utilization is not reported. The rule for idle GPUs uses CPU usage instead.',
  },
  { id: 'hpa_missing', why: 'It is unknown whether pods are stateless and start fast.' },
  {
    id: 'hpa_target_realign',
    why: 'Plimsoll does not change CPU requests of workloads with an HPA on CPU, so the HPA target needs no change.',
  },
  { id: 'loadbalancer_consolidate', why: 'Hosts and paths of load balancers are not reported.' },
]
