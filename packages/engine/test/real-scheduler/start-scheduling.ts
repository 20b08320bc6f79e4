import type { ControlPlane } from '../../../../test/control-plane.ts'

/** Starts the scheduler, the controllers that pods need, and KWOK for nodes and pods. */
export function startScheduling({ start, config }: ControlPlane): void {
  const shared = ['--kubeconfig', config, '--secure-port', '0', '--leader-elect=false']
  const fast = ['--kube-api-qps', '1000', '--kube-api-burst', '2000']
  start('kube-scheduler', ...shared, ...fast)
  const controllers = ['replicaset', 'daemonset', 'disruption', 'node-lifecycle', 'persistentvolume-binder']
  // On a slow machine nodes report late; treated as dead, they would lose their pods.
  const patient = ['--node-monitor-grace-period', '30m', '--pvclaimbinder-sync-period', '1s']
  const chosen = ['--controllers', controllers.map((name) => `${name}-controller`).join(',')]
  start('kube-controller-manager', ...shared, ...fast, ...patient, ...chosen)
  start('kwok', '--kubeconfig', config, '--manage-all-nodes=true', '--server-address', '127.0.0.1:0')
}
