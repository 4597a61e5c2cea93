import { registerHooks } from 'node:module'

/*
 * Loaded into a platform by `--import`, to show that the fault runner notices: its gateway acknowledges before the
 * commit.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isTelemetry =
      specifier === './telemetry.ts' && context.parentURL?.endsWith('/modules/telemetry/telemetry-module.ts')
    return next(isTelemetry ? new URL('early-telemetry.ts', import.meta.url).href : specifier, context)
  },
})
