// Loaded before the service with `node --import`: delays its clock by the given seconds. The service does not depend on
// it.
const millisecondsSlow = 1000 * Number(process.env.DEMO_CLOCK_SECONDS_SLOW ?? 0)

const now = () => RealDate.now() - millisecondsSlow
const RealDate = globalThis.Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
