import * as real from '@busbar/platform/modules/telemetry/telemetry.ts'

export * from '@busbar/platform/modules/telemetry/telemetry.ts'

/** The telemetry of the platform, but for `append`, which does not wait. */
export function createTelemetry(...given: Parameters<typeof real.createTelemetry>): real.Telemetry {
  return new Proxy(real.createTelemetry(...given), {
    get(target, key) {
      if (key === 'append') {
        return (...args: Parameters<real.Telemetry['append']>) => {
          target.append(...args).catch(() => {})
          return Promise.resolve([])
        }
      }
      const value = Reflect.get(target, key, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
