import { registerHooks } from 'node:module'

/*
 * Loaded into a platform by `--import`, to show that the fault runner notices: lanes of destinations move when a request
 * is sent, and not when it is answered.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isTransport =
      specifier === './transports.ts' &&
      context.parentURL?.endsWith('/modules/destinations/destinations-module.ts')
    return next(isTransport ? new URL('early-transport.ts', import.meta.url).href : specifier, context)
  },
})
