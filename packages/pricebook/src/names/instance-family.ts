/** The family by which spot ratios are listed: 'm5' of 'm5.large', 'n2' of 'n2-standard-4', 'D#as_v5' of 'Standard_D4as_v5'. */
export function instanceFamily(provider: string, instanceType: string): string {
  if (provider === 'aws') return instanceType.split('.')[0] ?? instanceType
  if (provider === 'gcp') return instanceType.split('-')[0] ?? instanceType
  if (provider !== 'azure') return instanceType
  return instanceType.replace(/^(?:Standard|Basic)_/i, '').replace(/^([a-z]+)\d+(?:-\d+)?/i, '$1#')
}

/** Azure savings plans are listed without any digit: 'Das_v' of 'Standard_D4as_v5'; the others as above. */
export function commitmentFamily(provider: string, instanceType: string): string {
  if (provider !== 'azure') return instanceFamily(provider, instanceType)
  return instanceType.replace(/^Standard_/i, '').replace(/\d+/g, '')
}
