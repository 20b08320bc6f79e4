/**
 * The first match wins, so longer names come first. Labels of GKE, labels of the GPU operator and plain model names
 * occur.
 */
const models: [RegExp, string][] = [
  [/\bgb200\b/, 'GB200'],
  [/\bb300\b/, 'B300'],
  [/\bb200\b/, 'B200'],
  [/\bh200\b/, 'H200'],
  [/\bh100\b.*\bnvl\b/, 'H100-NVL'],
  [/\bh100\b.*\bmega\b/, 'H100-MEGA'],
  [/\bh100\b/, 'H100'],
  [/\ba100\b.*\b80g/, 'A100-80GB'],
  [/\ba100\b/, 'A100-40GB'],
  [/\ba10g\b/, 'A10G'],
  [/\ba10\b/, 'A10'],
  [/\bl40s\b/, 'L40S'],
  [/\bl4\b/, 'L4'],
  [/\bt4g\b/, 'T4G'],
  [/\bt4\b/, 'T4'],
  [/\bv100s\b/, 'V100S'],
  [/\bv100\b.*\b32g/, 'V100-32GB'],
  [/\bv100\b/, 'V100'],
  [/\bp100\b/, 'P100'],
  [/\bp4\b/, 'P4'],
  [/\bk80\b/, 'K80'],
  [/\bm60\b/, 'M60'],
  [/\brtx.*6000\b/, 'RTX-PRO-6000'],
  [/\brtx.*4500\b/, 'RTX-PRO-4500'],
  [/\bmi300x\b/, 'MI300X'],
  [/\bmi25\b/, 'MI25'],
]

/**
 * 'nvidia-tesla-t4', 'Tesla-T4' and 'T4' are 'T4'; 'NVIDIA-A100-SXM4-80GB' is 'A100-80GB'. Unknown names stay
 * unchanged.
 */
export function canonicalGpuType(name: string): string {
  const lower = name.toLowerCase()
  return models.find(([pattern]) => pattern.test(lower))?.[1] ?? name.trim()
}
