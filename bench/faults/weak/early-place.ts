import { registerHooks } from 'node:module'

/*
 * Loaded into a platform by `--import`, to show that the fault runner notices: lanes of destinations move when a request
 * is sent, and not when it is answered.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isWebhook =
      specifier === './webhook.ts' && context.parentURL?.endsWith('/modules/destinations/lane.ts')
    return next(isWebhook ? new URL('early-webhook.ts', import.meta.url).href : specifier, context)
  },
})
