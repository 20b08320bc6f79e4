import type { Metadata } from './kube-types.ts'

type ServiceObject = {
  metadata?: Metadata
  spec?: { type?: string; loadBalancerClass?: string }
  status?: { loadBalancer?: { ingress?: { hostname?: string; ip?: string }[] } }
}

/** A Service with its own load balancer; its pods are added later. */
export type BalancerFacts = {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly type: string
}

/** Undefined: the Service has no cost, because it has another type or no load balancer yet. */
export function balancerFacts(service: ServiceObject): BalancerFacts | undefined {
  const { metadata = {}, spec = {}, status = {} } = service
  const { uid, name, namespace = '' } = metadata
  if (uid === undefined || name === undefined || spec.type !== 'LoadBalancer') return undefined
  if ((status.loadBalancer?.ingress?.length ?? 0) === 0) return undefined
  return { uid, name, namespace, type: typeOf(service) }
}

const awsType = 'service.beta.kubernetes.io/aws-load-balancer-type'

/** On AWS the type of the load balancer; elsewhere whether it is internal. */
function typeOf({ metadata = {}, spec = {}, status = {} }: ServiceObject): string {
  const { annotations = {} } = metadata
  const hostname = status.loadBalancer?.ingress?.[0]?.hostname ?? ''
  const isNetwork = annotations[awsType] !== undefined || (spec.loadBalancerClass ?? '').endsWith('/nlb')
  if (isNetwork || /\.elb\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(hostname)) return 'nlb'
  if (/\.elb\.amazonaws\.com(\.cn)?$/.test(hostname)) return 'classic-elb'
  const isInternal = internalAnnotations.some(({ name, value }) => value.test(annotations[name] ?? ''))
  return isInternal ? 'internal' : ''
}

const internalAnnotations = [
  { name: 'networking.gke.io/load-balancer-type', value: /^Internal$/i },
  { name: 'cloud.google.com/load-balancer-type', value: /^Internal$/i },
  { name: 'service.beta.kubernetes.io/azure-load-balancer-internal', value: /^true$/ },
  { name: 'service.beta.kubernetes.io/oci-load-balancer-internal', value: /^true$/ },
]

type SliceObject = {
  metadata?: Metadata
  endpoints?: { conditions?: { ready?: boolean }; targetRef?: { kind?: string; uid?: string } }[]
}

/** The ready pods of a Service, or a part of them. */
export type SliceFacts = {
  readonly uid: string
  readonly namespace: string
  readonly service: string
  readonly readyPods: readonly string[]
}

export function sliceFacts({ metadata = {}, endpoints }: SliceObject): SliceFacts | undefined {
  const { uid, namespace = '', labels = {} } = metadata
  const service = labels['kubernetes.io/service-name']
  if (uid === undefined || service === undefined) return undefined
  const readyPods = (endpoints ?? []).flatMap(({ conditions, targetRef }) =>
    conditions?.ready !== false && targetRef?.kind === 'Pod' && targetRef.uid ? [targetRef.uid] : [],
  )
  return { uid, namespace, service, readyPods }
}
