import { describeClass, parseCloudResourceKey, type CloudResourceClass } from '@plimsoll/pipeline/prices'

/** The class of nodes, volumes, load balancers or control planes, for users. */
export function presentClass(key: string): string {
  const cloudResource = parseCloudResourceKey(key)
  return cloudResource ? describeCloudResource(cloudResource) : describeClass(key)
}

function describeCloudResource(resource: CloudResourceClass): string {
  const parts = [...describeKind(resource), resource.provider, 'region' in resource ? resource.region : '']
  return parts.filter((part) => part !== '').join(', ')
}

function describeKind(resource: CloudResourceClass): string[] {
  if (resource.asset === 'volume') {
    const name = resource.storageClass === '' ? 'volume of unknown type' : resource.storageClass
    return [name, resource.sizeGib === undefined ? '' : `${resource.sizeGib} GiB`]
  }
  if (resource.asset === 'balancer') return [resource.type === '' ? 'load balancer' : resource.type]
  return [`${resource.service} control plane`, resource.support === undefined ? '' : 'extended support']
}
